import HTTPFraming
import Testing

@testable import RPCServer

/// Pictures, and pages of other servers, over both versions of HTTP.
@Suite(.timeLimit(.minutes(10)))
struct PictureTests {
    private static let path = "/pictures/1/full"

    /// Gets the tag of the picture.
    private func tag() async throws -> String {
        var tag = ""
        try await HTTPAnswer.ofBothVersions("GET", Self.path) { tag = try #require($0.headers["etag"]) }
        return tag
    }

    @Test func aPictureIsTheBody() async throws {
        try await HTTPAnswer.ofBothVersions("GET", Self.path) { answer in
            #expect((answer.status, answer.body) == (200, TestPictures.picture))
            #expect(answer.headers["content-type"] == "image/png")
            #expect(answer.headers["content-length"] == "\(TestPictures.picture.count)")
            #expect(answer.headers["cache-control"] == "public, max-age=86400")
            #expect(answer.headers["x-content-type-options"] == "nosniff")
        }
    }

    @Test func aPlaceholderIsKeptForAShortTime() async throws {
        try await HTTPAnswer.ofBothVersions("GET", "/pictures/2/standard_large?a=b") { answer in
            #expect((answer.status, answer.headers["cache-control"]) == (200, "public, max-age=300"))
        }
    }

    @Test(arguments: [
        ["TAG"], ["*"], ["W/TAG"], ["\"a\", TAG"], ["\"a\"\t,\tTAG"], ["\"a\"", "TAG"], ["\"a\",W/TAG,\"b\""],
    ])
    func aPictureThatTheCallerHasIsNotSent(_ lines: [String]) async throws {
        let tag = try await tag()
        let headers = lines.map { ("if-none-match", $0.replacing("TAG", with: tag)) }
        for verb in ["GET", "HEAD"] {
            try await HTTPAnswer.ofBothVersions(verb, Self.path, headers) { answer in
                #expect((answer.status, answer.body, answer.headers["etag"]) == (304, [], tag))
                #expect(answer.headers["cache-control"] == "public, max-age=86400")
            }
        }
    }

    @Test(arguments: ["\"a\"", "", "W/\"a\", \"b\""])
    func anotherTagIsNoReasonNotToSendIt(_ value: String) async throws {
        try await HTTPAnswer.ofBothVersions("HEAD", Self.path, [("if-none-match", value)]) { answer in
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [
        ("/pictures/999/full", 404, #""code":"not_found""#), ("/pictures/1/wide", 400, "VARIANT_UNKNOWN"),
        ("/pictures/1/", 404, "not found: call methods"), ("/pictures/x/full", 404, "not found: call methods"),
        ("/pictures/99999999999999999999/full", 404, "not found: call methods"), ("/pictures/1", 404, "POST"),
        ("/pictures/1/full/more", 404, "not found: call methods"), ("/", 404, "not found: call methods"),
    ])
    func anErrorHasABodyUnlessOnlyHeadersAreAsked(_ path: String, _ status: Int, _ text: String) async throws {
        var length: String?
        try await HTTPAnswer.ofBothVersions("GET", path) { answer in
            #expect((answer.status, answer.text.contains(text)) == (status, true), "\(answer.text)")
            length = answer.headers["content-length"]
        }
        try await HTTPAnswer.ofBothVersions("HEAD", path) { answer in
            #expect((answer.status, answer.body, answer.headers["content-length"]) == (status, [], length))
        }
    }

    // MARK: Pages of other servers

    private static let rules = HTTPRules(corsOrigins: ["https://example.org"])

    @Test func aBrowserMayAskBeforeACall() async throws {
        let headers = [("origin", "https://example.org"), ("access-control-request-method", "POST")]
        try await HTTPAnswer.ofBothVersions("OPTIONS", "/test.v1.Test/Echo", headers, rules: Self.rules) { answer in
            #expect((answer.status, answer.body, answer.headers["vary"]) == (204, [], "Origin"))
            #expect(answer.headers["access-control-allow-origin"] == "https://example.org")
            #expect(answer.headers["access-control-allow-methods"] == "POST, OPTIONS")
            let names = answer.headers["access-control-allow-headers"]?.split(separator: ", ").map { $0.lowercased() }
            let wanted = ["authorization", "connect-content-encoding", "traceparent", "x-request-id"]
            #expect(Set(names ?? []).isSuperset(of: wanted))
        }
    }

    /// RFC 9110, section 10.2.1.
    @Test(
        arguments: [
            ("GET", "/test.v1.Test/Echo", 405, "POST, OPTIONS"),
            ("DELETE", "/pictures/1/full", 405, "GET, HEAD, OPTIONS"),
            ("POST", "/pictures/1/full", 405, "GET, HEAD, OPTIONS"),
            ("OPTIONS", "/test.v1.Test/Echo", 204, "POST, OPTIONS"),
            // The page of a browser gets the error of its call.
            ("OPTIONS", "/test.v1.Test/Unknown", 204, "POST, OPTIONS"),
            ("OPTIONS", "/pictures/1/full", 204, "GET, HEAD, OPTIONS"),
            ("OPTIONS", "*", 204, "GET, HEAD, POST, OPTIONS"),
            ("OPTIONS", "/test.v1.Test/Text", 204, "GET, HEAD, POST, OPTIONS"),
            ("PUT", "/test.v1.Test/Text", 405, "GET, HEAD, POST, OPTIONS"),
            ("BREW", "/nothing", 501, nil),
            ("PROPFIND", "/test.v1.Test/Echo", 501, nil), ("brew", "/test.v1.Test/Echo", 501, nil),
        ] as [(String, String, Int, String?)]
    )
    func anAnswerNamesTheMethodsOfItsPath(_ verb: String, _ path: String, _ status: Int, _ allow: String?) async throws
    {
        guard status != 501 || verb == "PROPFIND" else {
            // The parser of HTTP/1.1 stops there.
            return try await TestServer.run { server in
                try await HTTP1Peer.connected(to: server) { peer in
                    try await peer.send("\(verb) \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    #expect(try await peer.answer()?.status == 501)
                    #expect(await peer.isClosed())
                }
            }
        }
        try await HTTPAnswer.ofBothVersions(verb, path) { answer in
            #expect((answer.status, answer.headers["allow"]) == (status, allow))
        }
    }

    @Test(arguments: ["GET", "POST"])
    func anotherPageMayNotCall(_ verb: String) async throws {
        let headers = [("origin", "https://other"), ("content-type", "application/json")]
        try await HTTPAnswer.ofBothVersions(verb, "/pictures/1/full", headers, rules: Self.rules) { answer in
            #expect((answer.status, answer.headers["access-control-allow-origin"]) == (403, nil))
            #expect(answer.headers["vary"] == "Origin")
        }
    }

    // MARK: Expectations

    @Test func anUnknownExpectationFails() async throws {
        let headers = [("expect", "a-miracle"), ("content-type", "application/json")]
        try await HTTPAnswer.ofBothVersions("POST", "/test.v1.Test/Echo", headers) { answer in
            #expect(answer.status == 417)
        }
    }
}
