import Catalog
import CatalogReading
import MarvelAPI
import MarvelDomain
import Testing
import WireMessages

@testable import Upstream

/// The behavior of every catalog, wherever its characters are.
@Suite struct CatalogBehaviorTests {
    enum Kind: CaseIterable {
        case inMemory
        case gateway

        func catalog() throws -> any CharacterCatalog {
            switch self {
            case .inMemory: BuiltInCatalog.catalog()
            case .gateway: try GatewayCatalog(FakeGateway(BuiltInCatalog.characters()))
            }
        }
    }

    private func search(
        _ catalog: any CharacterCatalog,
        _ query: String,
        offset: Int = 0,
        limit: Int = 10
    ) async throws -> CharacterPage {
        try await catalog.search(SearchQuery(query), match: .prefix, offset: offset, limit: limit).value
    }

    @Test(arguments: Kind.allCases)
    func aPageHoldsWhatMatchesInNameOrder(_ kind: Kind) async throws {
        let page = try await search(try kind.catalog(), "spider-man", limit: 3)
        let names = try page.characters.map(\.name)
        #expect(names.count == 3)
        #expect(names.allSatisfy { FoldedName($0).hasPrefix(FoldedName("spider-man")) })
        #expect(names == names.sorted { FoldedName($0) < FoldedName($1) })
        #expect(try page.characters.map(\.id) == page.ids)
        #expect(page.total > 3)
        #expect(page.nextOffset == 3)
    }

    @Test(arguments: Kind.allCases, ["sp", "SP", "iron", "dr", "Araña", "ARANA", "a.i.m.", "black  widow"])
    func pagesTogetherAreTheWholeResult(_ kind: Kind, _ query: String) async throws {
        let catalog = try kind.catalog()
        let prefix = FoldedName(try SearchQuery(query).text)
        let expected = BuiltInCatalog.characters().filter { FoldedName($0.name).hasPrefix(prefix) }
        var found: [Int64] = []
        var offset: Int? = 0
        while let start = offset {
            let page = try await search(catalog, query, offset: start, limit: 7)
            #expect(page.total == expected.count)
            found += page.ids
            offset = page.nextOffset
        }
        #expect(found.count == expected.count)
        #expect(Set(found) == Set(expected.map(\.id)))
    }

    @Test(arguments: Kind.allCases)
    func theCatalogsAgreeOnCharacters(_ kind: Kind) async throws {
        let page = try await search(try kind.catalog(), "captain", limit: 100)
        for character in try page.characters {
            let original = try #require(BuiltInCatalog.characters().first { $0.id == character.id })
            #expect(character.name == original.name)
            #expect(character.description == original.description)
            #expect(character.comicCount == original.comicCount)
            #expect(character.thumbnail?.path.hasSuffix(original.thumbnail?.path ?? "-") == true)
        }
    }

    @Test(arguments: Kind.allCases)
    func aSearchThatFindsNothingIsAnEmptyPage(_ kind: Kind) async throws {
        let page = try await search(try kind.catalog(), "zzzzzz")
        #expect(page.total == 0)
        #expect(page.ids.isEmpty)
        #expect(page.nextOffset == nil)
        #expect(page.encoded.byteCount == 0)
    }

    @Test(arguments: Kind.allCases)
    func beyondTheEndIsAnEmptyPageWithTheTotal(_ kind: Kind) async throws {
        let catalog = try kind.catalog()
        let total = try await search(catalog, "spider").total
        for offset in [total, total + 1, PageToken.maximumOffset + Int(Int32.max)] {
            let page = try await search(catalog, "spider", offset: offset)
            #expect(page.total == total)
            #expect(page.ids.isEmpty)
            #expect(page.nextOffset == nil)
        }
        let last = try await search(catalog, "spider", offset: total - 1)
        #expect(last.ids.count == 1)
        #expect(last.nextOffset == nil)
    }

    @Test(arguments: Kind.allCases)
    func aCharacterIsFoundByItsID(_ kind: Kind) async throws {
        let entry = try #require(try await kind.catalog().character(id: 1_009_610).value)
        #expect(entry.character.name == "Spider-Man")
        #expect(!entry.provenance.attribution.isEmpty)
    }

    @Test(arguments: Kind.allCases, [1, 999_999_999, Int64.max])
    func anUnknownIDIsNoCharacter(_ kind: Kind, _ id: Int64) async throws {
        #expect(try await kind.catalog().character(id: id).value?.character == nil)
    }

    @Test(arguments: [Match.wordPrefix, .substring, .fuzzy])
    func aGatewayCannotDoOtherMatches(_ match: Match) throws {
        let catalog = try Kind.gateway.catalog()
        let query = try SearchQuery("spider")
        #expect(throws: CatalogError.matchUnsupported(match)) {
            _ = try catalog.search(query, match: match, offset: 0, limit: 10)
        }
    }

    @Test(arguments: Kind.allCases)
    func whereThePageCameFromIsPartOfIt(_ kind: Kind) async throws {
        let catalog = try kind.catalog()
        let page = try await search(catalog, "spider")
        #expect(page.provenance.freshness.source == (kind == .gateway ? .gateway : .builtIn))
        #expect(page.provenance.freshness.age == .zero)
        #expect(!page.provenance.freshness.isStale)
        #expect(page.provenance.attribution == catalog.attribution)
        let tail = try SearchCharactersResponse(decoding: page.provenance.encodedPageTail, limit: .response)
        #expect(tail.attribution == catalog.attribution)
        #expect(tail.freshness == page.provenance.freshness)
        #expect(tail.total == 0)
    }
}
