import MarvelDomain
import Testing
import Upstream

struct ReplyTests {
    /// A page with invented data, whose keys are in the order in which the Marvel API sends them.
    private let whole = """
        {"code":200,"status":"Ok","copyright":"© 2025 MARVEL","attributionText":"Data provided by Marvel. © 2025 MARVEL",\
        "attributionHTML":"<a href=\\"http://marvel.com\\">Data provided by Marvel. © 2025 MARVEL</a>",\
        "etag":"0123456789abcdef0123456789abcdef01234567","data":{"offset":0,"limit":20,"total":31,"count":1,"results":[\
        {"id":1900001,"name":"Sample (Example)","description":"Invented.","modified":"2014-04-29T14:18:17-0400",\
        "thumbnail":{"path":"http://i.annihil.us/u/prod/marvel/i/mg/b/40/image_not_available","extension":"jpg"},\
        "resourceURI":"http://gateway.marvel.com/v1/public/characters/1900001",\
        "comics":{"available":41,"collectionURI":"x","items":[{"resourceURI":"y","name":"Sample #1"}],"returned":1},\
        "series":{"available":2,"collectionURI":"x","items":[],"returned":0},\
        "stories":{"available":3,"collectionURI":"x","items":[{"resourceURI":"y","name":"Cover","type":""}],"returned":1},\
        "events":{"available":0,"collectionURI":"x","items":[],"returned":0},\
        "urls":[{"type":"detail","url":"http://marvel.com/x?utm_campaign=apiRef&utm_source=1234"}]}]}}
        """

    @Test func everyFieldOfTheContractArrives() async throws {
        let results = try await reading(whole)
        let character = MarvelCharacter(
            id: 1_900_001,
            name: "Sample (Example)",
            description: "Invented.",
            modified: Timestamp(seconds: 1_398_795_497),
            thumbnail: Thumbnail(
                path: "https://i.annihil.us/u/prod/marvel/i/mg/b/40/image_not_available",
                fileExtension: "jpg"
            ),
            comicCount: 41,
            seriesCount: 2,
            storyCount: 3,
            eventCount: 0,
            urls: [CharacterURL(type: "detail", url: "http://marvel.com/x")]
        )
        #expect(results.characters == [character])
        #expect(results.total == 31)
        #expect(results.offset == 0)
        #expect(results.receivedCount == 1)
        #expect(results.attribution == "Data provided by Marvel. © 2025 MARVEL")
        #expect(results.etag == "0123456789abcdef0123456789abcdef01234567")
    }

    @Test func theHeadersValidatorGoesBeforeTheBodys() async throws {
        let transport = FakeFetcher(status: 200, headers: ["etag": "W/\"header\""], page())
        let results = try await client(transport).characters(nameStartsWith: "sa", offset: 0, limit: 20)
        #expect(results.etag == "W/\"header\"")
    }

    /// A body cut anywhere is refused, never half a page.
    @Test func aBodyThatIsCutIsRefused() async throws {
        for length in stride(from: 0, to: whole.count, by: 7) {
            let body = String(whole.prefix(length))
            let error = try await failure { try await reading(body) }
            guard case .invalidReply = error else {
                Issue.record("\(length): \(error)")
                return
            }
        }
    }

    @Test(arguments: [
        "", "<html><body>Bad gateway</body></html>", "[]", "null", #""text""#, "{", #"{"data":{"results":["#,
        #"{"data":"open string}}"#, "{}", #"{"code":200}"#, #"{"data":null}"#, #"{"data":{}}"#,
        #"{"data":{"results":null}}"#, #"{"data":{"results":{}}}"#, #"{"data":{"results":[1,2,3]}}"#,
        #"{"data":{"results":["a"]}}"#, #"{"data":{"results":[[{"id":1,"name":"a"}]]}}"#,
        #"{"data":{"results":[]}} {"data":{"results":[]}}"#, #"{"data":{"results":[]}}}}"#,
        #"callback({"data":{"results":[]}})"#,
    ])
    func anInvalidPageIsRefused(body: String) async throws {
        let refusal = SourceError.invalidReply("it is not a JSON object of the expected form")
        #expect(try await failure { try await reading(body) } == refusal)
    }

    @Test func anotherPageIsRefused() async throws {
        let body = #"{"data":{"offset":20,"results":[]}}"#
        let refusal = SourceError.invalidReply("the page starts at 20 instead of 0")
        #expect(try await failure { try await reading(body) } == refusal)
    }

    /// Whatever the depth, the process continues.
    @Test(arguments: [100_000, 2_000_000], ["[", #"{"a":"#])
    func nestingIsLimited(_ depth: Int, _ opening: String) async throws {
        let nested = String(repeating: opening, count: min(depth, 4_000_000 / opening.utf8.count))
        let error = try await failure { try await reading(#"{"extra":"# + nested) }
        guard case .invalidReply = error else {
            Issue.record("\(error)")
            return
        }
    }

    /// They are compared in quadratic time, also those that are escaped.
    @Test(arguments: ["\u{301}\u{323}", #"\u0301\u0323"#])
    func aRunOfCombiningMarksIsRefused(_ marks: String) async throws {
        let run = String(repeating: marks, count: 50)
        for body in [#"{"\#(run)":1,"data":{"results":[]}}"#, page(#"{"id":1,"name":"a\#(run)"}"#)] {
            let refusal = SourceError.invalidReply("it is not a JSON object of the expected form")
            #expect(try await failure { try await reading(body) } == refusal)
        }
    }

    @Test(arguments: [(100_000, true), (100_001, false)])
    func entriesAreLimited(_ count: Int, _ isRead: Bool) async throws {
        let body = page(Array(repeating: "{}", count: count).joined(separator: ","))
        let results = try? await reading(body)
        #expect((results != nil) == isRead)
    }

    @Test func bracketsInTextsDoNotCountAsNesting() async throws {
        let text = String(repeating: #"[{\"\\"#, count: 200)
        let results = try await reading(page(#"{"id":1,"name":"a","description":"\#(text)"}"#))
        #expect(results.characters.first?.description == String(repeating: #"[{"\"#, count: 200))
    }

    @Test func aBodyBeyondFourMebibytesIsNotParsed() async throws {
        let body = page() + String(repeating: " ", count: 4 * 1024 * 1024)
        #expect(try await failure { try await reading(body) } == .invalidReply("it has more than 4194304 bytes"))
    }

    @Test(arguments: [
        ("-5", 1), ("0", 1), ("1e30", 1), (#""77""#, 77), ("null", 1), ("true", 1), ("99999999999", 2_147_483_647),
    ])
    func aTotalThatLiesIsRaisedToWhatThePageProves(total: String, read: Int) async throws {
        let body = #"{"data":{"offset":0,"total":\#(total),"count":9,"results":[{"id":7,"name":"a"}]}}"#
        let results = try await reading(body)
        #expect(results.total == read)
        #expect(results.receivedCount == 1)
    }

    /// Offset, entries on the page of at most two, and what that says of the total.
    @Test(arguments: [(0, 2, 3), (0, 1, 1), (0, 0, 0), (4, 2, 7), (4, 1, 5), (4, 0, 4)], ["", #""total":null,"#])
    func withoutATotalAFullPageIsNotTheLast(page: (offset: Int, count: Int, total: Int), field: String) async throws {
        let entries = (0..<page.count).map { #"{"id":\#($0 + 1),"name":"a"}"# }.joined(separator: ",")
        let transport = FakeFetcher(
            status: 200,
            #"{"data":{\#(field)"offset":\#(page.offset),"results":[\#(entries)]}}"#
        )
        let results = try await client(transport).characters(nameStartsWith: "aa", offset: page.offset, limit: 2)
        #expect(results.total == page.total)
    }

    @Test func entriesBeyondTheLimitAreLeftToTheNextPage() async throws {
        let entries = (1...5).map { #"{"id":\#($0),"name":"a"}"# }.joined(separator: ",")
        let transport = FakeFetcher(status: 200, #"{"data":{"total":5,"results":[\#(entries)]}}"#)
        let results = try await client(transport).characters(nameStartsWith: "aa", offset: 0, limit: 2)
        #expect(results.characters.map(\.id) == [1, 2])
        #expect(results.receivedCount == 2)
        #expect(results.total == 5)
    }

    @Test(arguments: [
        (page(), SourceError.notFound),
        (page(#"{"id":2,"name":"other"}"#), .invalidReply("it does not contain the requested character")),
        (page("{}"), .invalidReply("it does not contain the requested character")),
    ])
    func anAnswerAboutAnotherCharacterIsRefused(body: String, expected: SourceError) async throws {
        let client = try client(FakeFetcher(status: 200, body))
        #expect(try await failure { try await client.character(id: 1) } == expected)
    }
}
