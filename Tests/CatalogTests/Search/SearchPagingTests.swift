import CatalogReading
import MarvelDomain
import Testing

@testable import Catalog

/// Pages of searches that look at every name.
@Suite struct SearchPagingTests {
    private static let large = SyntheticCharacters(count: InMemoryCatalog.immediateCount + 1).catalog()
    private static let small = BuiltInCatalog.catalog()

    private func search(
        _ catalog: InMemoryCatalog,
        _ query: String,
        _ match: Match,
        offset: Int,
        limit: Int
    ) async throws -> CharacterPage {
        try await catalog.search(SearchQuery(query), match: match, at: PagePlace(offset: offset), limit: limit).value
    }

    @Test(arguments: [Match.wordPrefix, .substring, .fuzzy], [1, 7, 100])
    func pagesTogetherAreTheWholeResult(_ match: Match, _ limit: Int) async throws {
        let searches = [(Self.small, "captain"), (Self.small, "an"), (Self.large, "capper"), (Self.large, "mar")]
        for (catalog, query) in searches {
            let positions = try NameSearch(query, match).positions(in: catalog.index).prefix(250)
            let expected = positions.map { catalog.index.name(at: Int($0)) }
            var page = try await search(catalog, query, match, offset: 0, limit: limit)
            var found = try page.characters
            while let next = page.nextOffset, found.count < positions.count {
                // As a stream continues, and as a token does.
                let cut = try #require(page.results).page(at: next, limit: limit)
                page = found.count % 3 == 0 ? try await search(catalog, query, match, offset: next, limit: limit) : cut
                #expect(page.ids == cut.ids)
                found += try page.characters
            }
            #expect(found.prefix(positions.count).map(\.name) == expected)
            #expect(Set(found.map(\.id)).count == found.count)
            #expect(page.nextOffset != nil || found.count == page.total)
        }
    }

    @Test(arguments: [Match.wordPrefix, .substring, .fuzzy])
    func beyondTheEndIsAnEmptyPageWithTheTotal(_ match: Match) async throws {
        let total = try await search(Self.small, "spider", match, offset: 0, limit: 1).total
        for offset in [total, total + 1, PageToken.maximumOffset + Int(Int32.max)] {
            let page = try await search(Self.small, "spider", match, offset: offset, limit: 10)
            #expect(page.total == total)
            #expect(page.ids.isEmpty)
            #expect(page.nextOffset == nil)
        }
    }

    @Test(arguments: Match.allCases)
    func onlyLongWorkLeavesTheEventLoop(_ match: Match) throws {
        let query = try SearchQuery("captain")
        for (catalog, isSmall) in [(Self.small, true), (Self.large, false)] {
            let lookup = try catalog.search(query, match: match, at: PagePlace(), limit: 10)
            switch lookup {
            case .ready: #expect(isSmall || match == .prefix)
            case .later: #expect(!isSmall && match != .prefix)
            }
        }
    }

    @Test func adjacentPositionsAreOneRun() throws {
        let positions: [UInt32] = [5, 6, 7, 3, 9, 10]
        let found = Self.small.index.runs(positions[...])
        let runs = [found.first] + found.rest
        #expect(runs.map(\.ids.count) == [3, 1, 2])
        let single = positions.map(Int.init).map { Self.small.index.runs($0..<$0 + 1).first }
        #expect(runs.flatMap(\.ids) == single.flatMap(\.ids))
        #expect(Self.small.index.runs([]).first.ids.isEmpty)
    }

    /// Long results that clients leave lying about take no more than a bounded amount of memory.
    @Test func aResultTooLargeToCacheIsSearchedAgain() {
        let held = PositionList([1, 2, 3])
        #expect(SearchResults(catalog: Self.small, positions: .list(held)).page(at: 0, limit: 2).results != nil)
        let tooMuch = PositionList([1, 2, 3], maximumBytes: 0)
        let page = SearchResults(catalog: Self.small, positions: .list(tooMuch)).page(at: 0, limit: 2)
        #expect(page.results == nil)
        #expect(page.nextOffset == 2)
        #expect(page.ids == SearchResults(catalog: Self.small, positions: .list(held)).page(at: 0, limit: 2).ids)
    }
}
