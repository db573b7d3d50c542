import Catalog
import MarvelDomain
import Testing

@testable import GatewayHTTP

@Suite struct ServedCharactersTests {
    /// Names in the order that the contract demands: space, `-`, `.`, digits, letters, case and accents ignored.
    private static let names = [
        " Leading", "-Dash", ".Dot", "3-D Man", "abc", "Ábcd", "ABCDE", "Nandor", "Ñandu", "Nandus", "zed",
    ]

    private let catalog: ServedCharacters

    init() {
        let characters = zip(ServedCharactersTests.names, Int64(1)...).map { name, id in
            MarvelCharacter(id: id, name: name, modified: Timestamp(seconds: id % 3 * 100))
        }
        self.catalog = ServedCharacters(characters.reversed())
    }

    private func matches(_ text: String) throws -> ResultPage {
        try catalog.page(CharacterQuery(QueryParameters(text)))
    }

    private func names(_ text: String) throws -> [String] { try matches(text).characters.map(\.name) }

    @Test func theDefaultOrderIsByNameWithCaseAndAccentsIgnored() throws {
        #expect(try names("") == ServedCharactersTests.names)
        #expect(try names("orderBy=name") == ServedCharactersTests.names)
    }

    @Test func theReversedOrderIsThatOrderReversed() throws {
        #expect(try names("orderBy=-name") == ServedCharactersTests.names.reversed())
    }

    @Test(arguments: [
        ("abc", ["abc", "Ábcd", "ABCDE"]), ("ABCD", ["Ábcd", "ABCDE"]), ("nandu", ["Ñandu", "Nandus"]),
        ("%C3%B1", ["Nandor", "Ñandu", "Nandus"]), ("z", ["zed"]), ("zz", []), ("%00", []),
        ("Leading", []), ("+lead", [" Leading"]),
    ])
    func aPrefixIsFoundWhateverItsCaseAndAccents(prefix: String, found: [String]) throws {
        #expect(try names("nameStartsWith=\(prefix)") == found)
    }

    @Test(arguments: [("ABC", ["abc"]), ("nandu", ["Ñandu"]), ("+leading", [" Leading"]), ("leading", []), ("ab", [])])
    func aNameIsFoundWholeOrNotAtAll(name: String, found: [String]) throws {
        #expect(try names("name=\(name)") == found)
    }

    @Test func filtersCombineWithAnd() throws {
        #expect(try names("name=abc&nameStartsWith=a") == ["abc"])
        #expect(try names("name=abc&nameStartsWith=z").isEmpty)
        let query = try CharacterQuery(QueryParameters("nameStartsWith=a&orderBy=-name"))
        #expect(catalog.page(query, among: [5, 7, 11]).characters.map(\.name) == ["ABCDE", "abc"])
        #expect(catalog.page(CharacterQuery(), among: []) == ResultPage(total: 0, characters: []))
    }

    @Test func pagesAreSlicesOfAllMatches() throws {
        let page = try matches("nameStartsWith=a&limit=2&offset=1")
        #expect(page.total == 3)
        #expect(page.characters.map(\.name) == ["Ábcd", "ABCDE"])
        #expect(try matches("offset=99") == ResultPage(total: 11, characters: []))
        #expect(try matches("offset=9223372036854775807").total == 11)
    }

    @Test(arguments: ["modified", "-modified", "modified,-name", "-modified,name", "-name", "name,modified"])
    func pagesOfAnyOrderHaveEveryCharacterOnce(order: String) throws {
        let pages = try (0..<4).flatMap { try names("orderBy=\(order)&limit=3&offset=\($0 * 3)") }
        #expect(pages.sorted() == ServedCharactersTests.names.sorted())
    }

    @Test func tiesOfTheDateAreBrokenByNameAndThenByID() throws {
        let catalog = ServedCharacters([
            MarvelCharacter(id: 9, name: "b"), MarvelCharacter(id: 8, name: "a"), MarvelCharacter(id: 7, name: "A"),
            MarvelCharacter(id: 6, name: "a"), MarvelCharacter(id: 5, name: "c", modified: Timestamp(seconds: 1)),
        ])
        func ids(_ order: String) throws -> [Int64] {
            try catalog.page(CharacterQuery(QueryParameters("orderBy=\(order)"))).characters.map(\.id)
        }
        #expect(try ids("modified") == [7, 6, 8, 9, 5])
        #expect(try ids("-modified") == [5, 7, 6, 8, 9])
        #expect(try ids("-modified,-name") == [5, 9, 7, 6, 8])
        #expect(try ids("-name") == [5, 9, 7, 6, 8])
        #expect(try ids("name") == [7, 6, 8, 9, 5])
    }

    @Test func modifiedSinceIncludesItsMomentAndCountsUnknownDatesAsTheEpoch() throws {
        let catalog = ServedCharacters([
            MarvelCharacter(id: 1, name: "a", modified: Timestamp(seconds: 100)),
            MarvelCharacter(id: 2, name: "b", modified: Timestamp(seconds: 101)), MarvelCharacter(id: 3, name: "c"),
        ])
        func ids(_ text: String) throws -> [Int64] {
            try catalog.page(CharacterQuery(QueryParameters("modifiedSince=\(text)"))).characters.map(\.id)
        }
        #expect(try ids("1970-01-01T00:01:41Z") == [2])
        #expect(try ids("1970-01-01T00:01:40Z&orderBy=-name") == [2, 1])
        #expect(try ids("1970-01-01T00:00:00Z") == [1, 2, 3])
    }
}
