import CatalogReading
import MarvelDomain
import Testing
import WireMessages

@testable import Catalog

@Suite struct EditableCatalogTests {
    private static func source(_ characters: [MarvelCharacter]) -> InMemoryCatalog {
        InMemoryCatalog(characters, kind: .builtIn, attribution: "Test", source: .builtIn)
    }

    private let catalog = EditableCatalog(
        source([MarvelCharacter(id: 1, name: "Alpha"), MarvelCharacter(id: 2, name: "Beta", description: "b")])
    )

    private static func edit(
        _ id: Int64,
        _ edit: CharacterEdit,
        revision: Int64,
        kind: EditedCharacter.Kind = .edited
    ) -> EditedCharacter {
        EditedCharacter(id: id, kind: kind, edit: edit, editedAt: Timestamp(seconds: 5), revision: revision)
    }

    private func found(_ query: String, _ match: Match = .prefix) throws -> [Int64] {
        guard
            case .ready(let page) = try catalog.search(try SearchQuery(query), match: match, at: PagePlace(), limit: 10)
        else { return [] }
        return page.ids
    }

    private func suggested(_ query: String) throws -> [String] {
        guard case .ready(let suggestions) = try catalog.suggestions(for: SearchQuery(typed: query), limit: 10)
        else { return [] }
        return try suggestions.suggestions.map(\.name)
    }

    @Test func anEditIsFoundImmediatelyAndItsOldNameIsNot() throws {
        catalog.apply([Self.edit(2, CharacterEdit(name: "Gamma"), revision: 3)])
        #expect(try found("ga") == [2])
        #expect(try found("be") == [])
        guard case .ready(let entry?) = catalog.character(id: 2) else {
            Issue.record("no character")
            return
        }
        #expect(entry.character.name == "Gamma" && entry.character.description == "b")
        #expect(entry.editRevision == 3)
    }

    @Test(
        arguments: [
            (Match.prefix, "peter p", "bet"), (.wordPrefix, "park", "bet"), (.substring, "arke", "eta"),
            (.fuzzy, "praker", "btea"),
        ]
    )
    func everyMatchFindsAnEditedNameAndAnAddedOne(_ match: Match, _ new: String, _ old: String) throws {
        #expect(try found(old, match) == [2])
        catalog.apply([
            Self.edit(2, CharacterEdit(name: "Peter Parker"), revision: 1),
            Self.edit(9, CharacterEdit(name: "Peter Parker II"), revision: 2, kind: .created),
        ])
        #expect(try found(new, match) == [2, 9])
        #expect(try found(old, match) == [])
        // A new source has to be read again, and the edits are laid over it again.
        catalog.replace(with: Self.source([MarvelCharacter(id: 2, name: "Beta"), MarvelCharacter(id: 3, name: "Bet")]))
        #expect(try found(new, match) == [2, 9])
        #expect(try suggested("park") == ["Peter Parker", "Peter Parker II"])
        #expect(try suggested("bet") == ["Bet"])
    }

    @Test func aStreamBegunBeforeAnEditKeepsItsSnapshot() throws {
        let query = try SearchQuery("al")
        guard case .ready(let page) = try catalog.search(query, match: .prefix, at: PagePlace(), limit: 1)
        else { return }
        catalog.apply([Self.edit(9, CharacterEdit(name: "Alan"), revision: 1, kind: .created)])
        #expect(page.results?.page(at: 0, limit: 10).ids == [1])
        #expect(try found("al") == [9, 1])
    }

    @Test func anOlderEditThatArrivesLaterChangesNothing() throws {
        catalog.apply([Self.edit(1, CharacterEdit(name: "New"), revision: 2)])
        catalog.apply([Self.edit(1, CharacterEdit(name: "Old"), revision: 1)])
        #expect(catalog.catalog.knownCharacter(id: 1)?.name == "New")
    }

    @Test func theTimeOfLoadingIsThatOfTheSourceWhateverIsEdited() {
        let catalog = EditableCatalog(
            Self.source([MarvelCharacter(id: 1, name: "Alpha")]),
            loadedAt: Timestamp(seconds: 1)
        )
        catalog.apply([Self.edit(9, CharacterEdit(name: "Alan"), revision: 1, kind: .created)])
        #expect(catalog.loadedAt == Timestamp(seconds: 1))
        #expect(catalog.characterCount == 2)
        catalog.replace(with: Self.source([]), loadedAt: Timestamp(seconds: 2))
        #expect(catalog.loadedAt == Timestamp(seconds: 2))
        #expect(catalog.characterCount == 1)
    }

    @Test func editsAreAppliedToANewSource() throws {
        catalog.apply([
            Self.edit(1, CharacterEdit(name: "Mine"), revision: 1),
            Self.edit(2, CharacterEdit(description: "mine"), revision: 2),
            Self.edit(9, CharacterEdit(name: "Made"), revision: 3, kind: .created),
        ])
        catalog.replace(
            with:
                Self.source([
                    MarvelCharacter(id: 2, name: "Renamed", comicCount: 7), MarvelCharacter(id: 3, name: "Three"),
                ])
        )
        #expect(catalog.catalog.knownCharacter(id: 1) == nil)
        #expect(catalog.catalog.knownCharacter(id: 2)?.name == "Renamed")
        #expect(catalog.catalog.knownCharacter(id: 2)?.description == "mine")
        #expect(catalog.catalog.knownCharacter(id: 9)?.name == "Made")
        #expect(try found("th") == [3])
        // It comes back with its source.
        catalog.replace(with: Self.source([MarvelCharacter(id: 1, name: "Alpha")]))
        #expect(catalog.catalog.knownCharacter(id: 1)?.name == "Mine")
    }

    @Test func aRevertedEditShowsTheSourceAgain() throws {
        catalog.apply([
            Self.edit(1, CharacterEdit(name: "Mine"), revision: 1),
            Self.edit(9, CharacterEdit(name: "Made"), revision: 2, kind: .created),
        ])
        catalog.apply([
            Self.edit(1, CharacterEdit(), revision: 3, kind: .reverted),
            Self.edit(9, CharacterEdit(), revision: 4, kind: .reverted),
        ])
        #expect(catalog.catalog.knownCharacter(id: 1) == MarvelCharacter(id: 1, name: "Alpha"))
        #expect(catalog.catalog.knownCharacter(id: 9) == nil)
        guard case .ready(let entry?) = catalog.character(id: 1) else { return }
        #expect(entry.editRevision == 0)
    }
}
