import MarvelDomain
import Testing
import Upstream

struct RequestTests {
    private let credentials = "apikey=1234&ts=1&hash=ffd275c5130566a2916217b101f26150"

    @Test func aSearchAsksForOneSignedPageInOrderOfNames() async throws {
        let transport = FakeFetcher(status: 200, page(offset: 40))
        _ = try await client(transport).characters(nameStartsWith: "spi", offset: 40, limit: 20)
        let path = "/v1/public/characters?nameStartsWith=spi&orderBy=name&limit=20&offset=40&"
        #expect(transport.requests.map(\.url) == ["https://gateway.example" + path + credentials])
        #expect(transport.requests.first?.headers["accept"] == "application/json")
    }

    @Test func oneCharacterHasAPathOfItsOwn() async throws {
        let transport = FakeFetcher(status: 200, page(#"{"id":1900001,"name":"Sample"}"#))
        let results = try await client(transport, gateway: "http://proxy.example/marvel").character(id: 1_900_001)
        #expect(results.characters.map(\.name) == ["Sample"])
        let url = "http://proxy.example/marvel/v1/public/characters/1900001?" + credentials
        #expect(transport.requests.map(\.url) == [url])
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("a+b&c=d", "a%2Bb%26c%3Dd"), ("100%", "100%25"), ("x-1.2_3~", "x-1.2_3~"),
        ("#/?", "%23%2F%3F"),
        ("ñ", "%C3%B1"), ("에이", "%EC%97%90%EC%9D%B4"), ("🕷", "%F0%9F%95%B7"), ("e\u{301}", "e%CC%81"),
        ("شعلة", "%D8%B4%D8%B9%D9%84%D8%A9"), ("\r\n\u{0}", "%0D%0A%00"), ("\"'<>", "%22%27%3C%3E"),
    ])
    func everyScriptIsPercentEncoded(query: String, encoded: String) async throws {
        let transport = FakeFetcher(status: 200, page())
        _ = try await client(transport).characters(nameStartsWith: query, offset: 0, limit: 10)
        let url = try #require(transport.requests.first?.url)
        #expect(url.contains("?nameStartsWith=\(encoded)&orderBy=name&"))
    }

    @Test func aRequestPrintsNeitherQueryNorHeaders() {
        let request = HTTPRequest(url: "http://a.example/x?apikey=MARKER", headers: ["Authorization": "MARKER"])
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), "\([request])", dumped] {
            #expect(!text.contains("MARKER"))
            #expect(text.contains("http://a.example/x"))
        }
    }
}
