import Catalog
import MarvelDomain
import StoreContract
import Synchronization
import Testing
import WireMessages

@testable import MarvelService

/// An edit on its way to everyone who sees the character.
@Suite struct CurationTests {
    private static let hulk: Int64 = 1_009_351
    private let stage = EditStage()

    private func save(on list: String = "") async throws {
        try await stage.service.toggle(Self.hulk, on: list, .saved)
    }

    private func edit(_ name: String) async throws {
        _ = try await stage.update(UpdateCharacterRequest(character: MarvelCharacter(id: Self.hulk, name: name)))
    }

    private func list(_ name: String = "") async throws -> (revision: Int64, names: [String]) {
        let listed = try await stage.service.favorites(of: name)
        return (listed.revision, listed.favorites.map(\.character.name))
    }

    @Test func aFavoriteKeepsTheCharacterAsItWasSaved() async throws {
        try await save()
        try await edit("Green")
        try await save(on: "other")
        #expect(try await list() == (1, ["Hulk"]))
        #expect(try await list("other") == (1, ["Green"]))
    }

    @Test func searchesOfAnotherProgramAppearAtTheNextRead() async throws {
        stage.edits.writeFromOutside(EditOrder(.existing(Self.hulk), CharacterEdit(name: "Joe Fixit")))
        stage.edits.writeFromOutside(EditOrder(.new(nil), CharacterEdit(name: "Qwerty")))
        #expect(try await stage.names("joe fixit") == [])
        await stage.curation.catchUp()
        #expect(try await stage.names("joe fixit") == ["Joe Fixit"])
        #expect(try await stage.names("qwerty") == ["Qwerty"])
    }

    /// The server's own edit is newer than the other program's, which it has not read yet.
    @Test func anEditOfAnotherProgramIsNotPassedOverForAnOwnOne() async throws {
        stage.edits.writeFromOutside(EditOrder(.new(nil), CharacterEdit(name: "Qwerty")))
        try await edit("Green")
        await stage.curation.catchUp()
        #expect(try await stage.names("qwerty") == ["Qwerty"])
    }

    @Test func aRevertedEditIsUpdated() async throws {
        try await edit("Green")
        stage.edits.writeFromOutside(EditOrder(.reverted(Self.hulk)))
        await stage.curation.catchUp()
        #expect(stage.catalog.knownCharacter(id: Self.hulk)?.name == "Hulk")
    }

    @Test func aStartAppliesTheKeptEdits() async throws {
        stage.edits.writeFromOutside(EditOrder(.existing(Self.hulk), CharacterEdit(name: "Green")))
        try await stage.curation.start()
        #expect(try await stage.names("green").contains("Green"))
    }

    /// A standby without the last edits became the primary, and another edit got the revision of a lost one.
    @Test func lostEditsAreNoLongerShown() async throws {
        stage.edits.writeFromOutside(EditOrder(.new(nil), CharacterEdit(name: "Qwerty")))
        try await edit("Green")
        stage.edits.writeFromOutside(EditOrder(.new(nil), CharacterEdit(name: "Asdfgh")))
        await stage.curation.catchUp()
        #expect(try await stage.names("asdfgh") == ["Asdfgh"])
        stage.edits.lose(after: 1)
        stage.edits.writeFromOutside(EditOrder(.new(nil), CharacterEdit(name: "Zxcvbn")))
        stage.edits.fail(with: .notReadable("x"))
        await stage.curation.catchUp()
        stage.edits.fail(with: nil)
        await stage.curation.catchUp()
        #expect(try await stage.names("qwerty") == ["Qwerty"])
        #expect(try await stage.names("asdfgh") == [])
        #expect(try await stage.names("zxcvbn") == ["Zxcvbn"])
        #expect(stage.catalog.knownCharacter(id: Self.hulk)?.name == "Hulk")
        stage.edits.writeFromOutside(EditOrder(.new(nil), CharacterEdit(name: "Poiuyt")))
        await stage.curation.catchUp()
        #expect(try await stage.names("poiuyt") == ["Poiuyt"])
    }

    @Test func itLooksFromTimeToTimeUntilItIsCancelled() async throws {
        stage.edits.writeFromOutside(EditOrder(.new(nil), CharacterEdit(name: "Qwerty")))
        let naps = Mutex(0)
        await stage.curation.run {
            let count = naps.withLock { count in
                count += 1
                return count
            }
            if count > 2 { throw CancellationError() }
        }
        #expect(try await stage.names("qwerty") == ["Qwerty"])
    }
}
