import MarvelDomain
import Testing
import Upstream

@testable import GatewayHTTP

@Suite struct CharacterQueryTests {
    private func query(_ text: String) throws(ParameterError) -> CharacterQuery {
        try CharacterQuery(QueryParameters(text))
    }

    @Test func aRequestWithoutParametersAsksForTheFirstTwenty() throws {
        let query = try query("apikey=k&ts=1&hash=h&callback=f")
        #expect(query == CharacterQuery())
        #expect(query.limit == 20 && query.offset == 0 && query.isByName)
    }

    /// Their comparison would take quadratic time.
    @Test func tooManyMarksInARowAreReplaced() throws {
        let few = "m" + String(repeating: "%CC%81", count: 30)
        #expect(try query("name=\(few)").name == "m" + String(repeating: "\u{301}", count: 30))
        #expect(try query("name=\(few)%CC%81").name == "\u{FFFD}")
        #expect(throws: ParameterError.unknown("\u{FFFD}")) { try query("\(few)%CC%81=1") }
        #expect(throws: ParameterError.unknown("\u{FFFD}")) {
            try query("name=m" + String(repeating: "\u{301}", count: 31))
        }
    }

    @Test(arguments: [
        ("1", 1), ("100", 100), ("12abc", 12), ("%205", 5), ("+5", 5), ("007", 7),
    ])
    func limitIsTheNumberAtItsBeginning(text: String, limit: Int) throws {
        #expect(try query("limit=\(text)").limit == limit)
    }

    @Test(arguments: [
        ("0", 0), ("40", 40), ("40abc", 40), ("-1", 0), ("abc", 0), ("", 0), ("9999999999999999999999", Int.max),
    ])
    func offsetIsNeverRefused(text: String, offset: Int) throws {
        #expect(try query("offset=\(text)").offset == offset)
    }

    @Test(arguments: [
        ("Spider-Man", "Spider-Man"), ("Spider%2DMan+", "Spider-Man "), ("%20Ant", " Ant"), ("00", "00"),
        ("%C3%86gir", "Ægir"), ("100%25", "100%"), ("50%", "50%"), ("%zz%2", "%zz%2"), ("a%26b%3Dc", "a&b=c"),
        ("a=b", "a=b"), ("%FF", "\u{FFFD}"),
    ])
    func aNameIsTakenAsItIsAfterDecoding(text: String, name: String) throws {
        #expect(try query("name=\(text)").name == name)
        #expect(try query("nameStartsWith=\(text)").nameStartsWith == name)
    }

    @Test func ofARepeatedParameterTheLastOneCounts() throws {
        #expect(try query("limit=5&limit=7").limit == 7)
    }

    @Test(arguments: [
        ("name", [("name", false)]), ("-name", [("name", true)]), ("modified", [("modified", false)]),
        ("-modified,name", [("modified", true), ("name", false)]),
        ("name,%20-modified", [("name", false), ("modified", true)]),
        ("name,-name", [("name", false)]),
    ])
    func orderIsReadFromTheList(text: String, keys: [(String, Bool)]) throws {
        let order = try query("orderBy=\(text)").order
        #expect(order.map(\.field) == keys.map(\.0))
        #expect(order.map(\.isDescending) == keys.map(\.1))
    }

    @Test(arguments: ResourceKind.characters.lists)
    func tenIDsAreTakenAndElevenAreNot(relation: ResourceKind) throws {
        let ten = (1...10).map(String.init).joined(separator: ",")
        #expect(try query("\(relation.rawValue)=\(ten)").relations == [relation: Array(1...10)])
        #expect(throws: ParameterError.tooManyIDs(relation)) { try query("\(relation.rawValue)=\(ten),11") }
    }

    @Test func theIDsOfARepeatedFilterCountTogether() throws {
        #expect(try query("series=1&series=2,3").relations == [.series: [1, 2, 3]])
        #expect(throws: ParameterError.tooManyIDs(.series)) { try query("series=1,2,3,4,5,6&series=7,8,9,10,11") }
    }

    @Test func idsAreReadWithSpacesAndBesideInvalidOnes() throws {
        #expect(try query("comics=1,+2,x,3abc,0,-4").relations == [.comics: [1, 2, 3]])
    }

    /// Of several faults the first in this order is reported: an unknown parameter, a name, the limit, the order, a filter,
    /// the date.
    @Test(
        arguments: [
            (
                ["limit=0", "limit=-1", "limit=test", "limit=", "limit=abc12", "limit=%20", "limit=0x10"],
                .limitNotPositive
            ),
            (["limit=-9999999999999999999999", "limit=0&orderBy=x&comics=0&modifiedSince=x"], .limitNotPositive),
            (["limit=101", "limit=101abc", "limit=9999999999999999999999"], .limitTooLarge),
            (["name=", "name=0", "name=%20", "name=+%09", "limit=0&name=&orderBy=x"], .blank("name")),
            (["nameStartsWith=", "nameStartsWith=0", "nameStartsWith=+%09"], .blank("nameStartsWith")),
            (["limit=5&foo=1", "limit=0&name=&foo=1&orderBy=x&comics=0&modifiedSince=x"], .unknown("foo")),
            (["apiKey=1"], .unknown("apiKey")), (["Name=1"], .unknown("Name")), (["orderby=1"], .unknown("orderby")),
            (["a\"b=1"], .unknown("a\"b")),
            (["orderBy=typ", "orderBy=name,typ", "orderBy=typ&comics=0&modifiedSince=x"], .unknownOrdering("typ")),
            (["orderBy="], .unknownOrdering("")), (["orderBy=--name"], .unknownOrdering("--name")),
            (["orderBy=Name"], .unknownOrdering("Name")),
            (["comics=", "comics=0", "comics=abc", "comics=,,", "comics=-1", "comics=+"], .noValidID(.comics)),
            (["comics=0&modifiedSince=x"], .noValidID(.comics)), (["series=0"], .noValidID(.series)),
            (["events=0"], .noValidID(.events)), (["stories=0"], .noValidID(.stories)),
            (["modifiedSince=yesterday"], .invalidDate),
        ] as [([String], ParameterError)]
    )
    func aFaultIsRefused(texts: [String], error: ParameterError) {
        for text in texts { #expect(throws: error, "\(text)") { try query(text) } }
    }
}
