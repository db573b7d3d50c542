import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import HTTPFraming

/// The answers that depend on the page that asks, and those to HEAD.
struct OriginTests {
    private static let own = "https://example.org"

    /// Returns the headers of the answer: of one that needs no call, or of a call that fails or succeeds.
    private func answers(_ changes: [(String, String)], rules: HTTPRules) throws -> [HPACKHeaders] {
        let usual: HPACKHeaders = [
            ":method": "POST", ":scheme": "http", ":path": "/a.B/C", ":authority": "example.com",
            "content-type": "application/proto",
        ]
        let headers = usual.changed(changes)
        switch rules.read(headers, isLoopback: false, isHTTP2: true) {
        case .answered(let answer, _): return [answer.headers]
        case .call(let head):
            let answer = CallAnswer(to: head, compresses: false)
            let failure = answer.failure(RPCError(.notFound, reason: .methodUnknown, "no"), hasSentHead: false)
            guard case .whole(let headers, _) = failure else { return [answer.head] }
            return [answer.head, headers]
        case .malformed:
            Issue.record("the request is malformed")
            return []
        }
    }

    /// A cache must not give the answer for one page to another.
    @Test(arguments: [
        [], [("origin", own)], [("origin", "https://other")], [("origin", "http://example.com")],
        [(":method", "GET"), (":path", "/pictures/1/full")], [(":method", "GET")], [(":method", "DELETE")],
        [(":method", "OPTIONS")], [("content-type", "text/plain")], [("content-type", "application/connect+json")],
    ])
    func answersVaryByOriginIfAnyIsListed(_ changes: [(String, String)]) throws {
        for headers in try answers(changes, rules: HTTPRules(corsOrigins: [Self.own])) {
            #expect(headers["vary"] == ["Origin"])
        }
        for headers in try answers(changes, rules: HTTPRules()) { #expect(!headers.contains(name: "vary")) }
    }

    @Test func aListedPageMayReadTheHeadersOfAnAnswer() throws {
        for headers in try answers([("origin", Self.own)], rules: HTTPRules(corsOrigins: [Self.own])) {
            #expect(headers["access-control-allow-origin"] == [Self.own])
            #expect(headers["access-control-expose-headers"] == ["ETag, Retry-After"])
        }
    }

    /// A browser sends one. Which of two would count is for nobody to guess.
    @Test(arguments: [[own, "https://other"], ["https://other", own], [own, own], ["http://example.com", own]])
    func moreThanOneOriginIsRefused(_ origins: [String]) {
        var headers: HPACKHeaders = [
            ":method": "POST", ":scheme": "http", ":path": "/a.B/C", ":authority": "example.com",
            "content-type": "application/proto",
        ]
        for origin in origins { headers.add(name: "origin", value: origin) }
        let meaning = HTTPRules(corsOrigins: [Self.own]).read(headers, isLoopback: false, isHTTP2: true)
        #expect(meaning.status == "403")
        if case .answered(let answer, _) = meaning {
            #expect(!answer.headers.contains(name: "access-control-allow-origin"))
        }
    }

    /// A shared cache does not know who may see the answer to a call with a token.
    @Test(arguments: [([], "public, max-age=60"), ([("authorization", "Bearer x")], "private, max-age=60")])
    func anAnswerToATokenIsForItsCallerOnly(_ token: [(String, String)], _ expected: String) throws {
        let headers: HPACKHeaders = [
            ":method": "GET", ":scheme": "http", ":path": "/a.B/C?encoding=proto&message=", ":authority": "example.com",
        ]
        let meaning = HTTPRules().read(headers.changed(token), isLoopback: false, isHTTP2: true) { $0 == "/a.B/C" }
        var answer = CallAnswer(to: try #require(meaning.call), compresses: false)
        try answer.methodFound(RPCMethod(name: "C", kind: .unary, cacheSeconds: 60) { _ in .end })
        let (fields, _) = try answer.whole(EncodedMessage(ByteBuffer()))
        #expect(fields["cache-control"] == [expected])
    }

    private static let site = ("sec-fetch-site", "cross-site")

    @Test(arguments: [
        ([site], false), ([site, ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")], false),
        ([site, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")], false), ([site, ("origin", own)], true),
        ([site, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")], true),
        ([site, ("sec-fetch-mode", "navigate"), ("sec-purpose", "prefetch;anonymous-client-ip")], false),
        ([site, ("sec-fetch-mode", "navigate")], true), ([("sec-fetch-site", "same-origin")], true),
        ([("sec-fetch-site", "same-site")], true), ([("sec-fetch-site", "none")], true), ([], true),
    ])
    func aPageOfAnotherSiteGetsNoPicturesThatCostCalls(_ fetch: [(String, String)], _ isServed: Bool) {
        for method in ["GET", "HEAD"] {
            let headers: HPACKHeaders = [
                ":method": method, ":scheme": "http", ":path": "/pictures/1/full", ":authority": "example.com",
            ]
            var rules = HTTPRules(corsOrigins: [Self.own], hasUpstreamPictures: true)
            let meaning = rules.read(headers.changed(fetch), isLoopback: false, isHTTP2: true)
            #expect((meaning.call != nil) == isServed)
            #expect(isServed || meaning.status == "403")
            rules.hasUpstreamPictures = false
            #expect(rules.read(headers.changed(fetch), isLoopback: false, isHTTP2: true).call != nil)
        }
    }

    @Test(arguments: [("a@localhost", true), ("localhost:x@evil.example", true), ("localhost:80", false)])
    func aUserIsNotAPartOfAHost(_ authority: String, _ isForeign: Bool) {
        let headers: HPACKHeaders = [
            ":method": "DELETE", ":scheme": "http", ":path": "/", ":authority": authority,
        ]
        let meaning = HTTPRules().read(headers, isLoopback: true, isHTTP2: true)
        #expect(meaning.status == (isForeign ? "403" : "404"))
    }
}
