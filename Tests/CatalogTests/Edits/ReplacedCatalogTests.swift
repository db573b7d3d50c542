import MarvelDomain
import Testing
import WireMessages

@testable import Catalog

/// A catalog that changes between two pages: whoever continues by a token misses nothing, sees nothing twice, and is told
/// if the place is gone.
@Suite struct ReplacedCatalogTests {
    private static func catalog(_ names: [(Int64, String)]) -> InMemoryCatalog {
        InMemoryCatalog(
            names.map { MarvelCharacter(id: $0.0, name: $0.1) },
            kind: .file,
            attribution: "A test",
            source: .file
        )
    }

    private static let old = catalog([(1, "Spider A"), (2, "Spider B"), (3, "Spider C"), (4, "Spider D"), (9, "Thor")])

    private static func search(
        _ catalog: any CharacterCatalog,
        _ match: Match = .prefix,
        at place: PagePlace = PagePlace(),
        limit: Int = 2
    ) async throws -> CharacterPage {
        try await catalog.search(SearchQuery("spider"), match: match, at: place, limit: limit).value
    }

    /// The place behind Spider A and Spider B.
    private static func place(skip: Int = 0) async throws -> PagePlace {
        let page = try await search(old)
        #expect(page.ids == [1, 2])
        var place = try #require(page.encoded.nextPlace)
        place.skip = skip
        return place
    }

    static let changes: [(String, [(Int64, String)], rest: [Int64])] = [
        ("nothing", [(1, "Spider A"), (2, "Spider B"), (3, "Spider C"), (4, "Spider D")], [3, 4]),
        ("one more before", [(7, "Spider 0"), (1, "Spider A"), (2, "Spider B"), (3, "Spider C")], [3]),
        ("one less before", [(2, "Spider B"), (3, "Spider C"), (4, "Spider D")], [3, 4]),
        ("one more behind", [(1, "Spider A"), (2, "Spider B"), (8, "Spider Bb"), (3, "Spider C")], [8, 3]),
        ("the next is gone", [(1, "Spider A"), (2, "Spider B"), (4, "Spider D")], [4]),
        ("all behind are gone", [(1, "Spider A"), (2, "Spider B")], []),
        ("the last has another name", [(1, "Spider A"), (2, "Spider BB"), (3, "Spider C")], [3]),
    ]

    @Test(arguments: changes, Match.allCases)
    func aTokenFindsItsPlaceAgain(
        _ change: (String, [(Int64, String)], rest: [Int64]),
        _ match: Match
    ) async throws {
        let catalog = EditableCatalog(Self.old)
        let place = try await Self.place()
        catalog.replace(with: Self.catalog(change.1))
        let page = try await Self.search(catalog, match, at: place, limit: 5)
        #expect(page.ids == change.rest)
        #expect(page.nextOffset == nil)
    }

    @Test func skippingStartsAtThePlaceOfTheToken() async throws {
        let grown = Self.catalog([(7, "Spider 0"), (1, "Spider A"), (2, "Spider B"), (3, "Spider C"), (4, "Spider D")])
        #expect(try await Self.search(grown, at: Self.place(skip: 1)).ids == [4])
        #expect(try await Self.search(Self.old, at: Self.place(skip: 1)).ids == [4])
    }

    @Test(
        arguments: [
            [(1, "Spider A"), (3, "Spider C")],
            // There, and no result of this search.
            [(1, "Spider A"), (2, "Ant B"), (3, "Spider C")],
            // Renamed: the results after it are not those after its former name.
            [(1, "Spider A"), (3, "Spider C"), (2, "Spider Z")],
            [(2, "Spider 1"), (1, "Spider A"), (3, "Spider C")],
            [],
        ] as [[(Int64, String)]],
        Match.allCases
    )
    func aTokenWhosePlaceIsGoneIsRefused(_ names: [(Int64, String)], _ match: Match) async throws {
        let place = try await Self.place()
        await #expect(throws: CatalogError.placeLost) { try await Self.search(Self.catalog(names), match, at: place) }
    }

    /// Tokens of the first version do not tell the last character, and those of the second not its name.
    @Test func olderTokensAreRead() async throws {
        #expect(try await Self.search(Self.old, at: PagePlace(offset: 2)).ids == [3, 4])
        #expect(try await Self.search(Self.old, at: PagePlace(offset: 1, lastID: 2)).ids == [3, 4])
    }

    @Test func aSearchContinuesInTheCatalogThatItBeganWith() async throws {
        let catalog = EditableCatalog(Self.old)
        let first = try await Self.search(catalog)
        catalog.replace(with: Self.catalog([(5, "Spider X")]))
        let results = try #require(first.results)
        #expect(results.page(at: 2, limit: 2).ids == [3, 4])
        #expect(try await Self.search(catalog).ids == [5])
        guard case .ready(let entry) = catalog.character(id: 1) else { throw CancellationError() }
        #expect(entry == nil)
    }
}
