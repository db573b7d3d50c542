import Catalog
import MarvelDomain
import RPCCore
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

    /// The server's own edit is newer than the other program's, which it has not read yet.
    @Test func anEditOfAnotherProgramIsNotPassedOverForAnOwnOne() async throws {
        stage.edits.writeFromOutside(EditOrder(.new(nil), CharacterEdit(name: "Qwerty")))
        try await edit("Green")
        await stage.curation.catchUp()
        #expect(try await stage.names("qwerty") == ["Qwerty"])
    }

    /// An edit meanwhile begins another read: its caller must not get the picture before it.
    @Test(.timeLimit(.minutes(10)))
    func callersAtTheSameTimeShareOneReadOfAPicture() async throws {
        let picture = EditOrder.PictureChange.set(Picture(bytes: [1], mediaType: .png))
        stage.edits.writeFromOutside(EditOrder(.existing(Self.hulk), picture: picture))
        let (curation, gate) = (stage.curation, Gate())
        stage.edits.beforePictures { await gate.pass() }
        try await curation.start()
        try await withThrowingTaskGroup(of: Picture?.self) { group in
            for _ in 0..<9 { group.addTask { try await curation.picture(of: Self.hulk) } }
            while curation.pictureReads.waitingCount != 9 { await Task.yield() }
            #expect(curation.pictureReads.count == 1)
            stage.edits.writeFromOutside(EditOrder(.existing(Self.hulk), CharacterEdit(name: "Green")))
            try await curation.start()
            group.addTask { try await curation.picture(of: Self.hulk) }
            while curation.pictureReads.waitingCount != 10 { await Task.yield() }
            #expect(curation.pictureReads.count == 2)
            gate.open()
            for try await picture in group { #expect(picture?.bytes == [1]) }
        }
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
        #expect(stage.catalog.catalog.knownCharacter(id: Self.hulk)?.name == "Hulk")
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
