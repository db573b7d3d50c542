import NIOHPACK
import Testing

@testable import HTTPFraming

/// The rules whose breach makes the headers of a request malformed, by tables.
struct HeaderCheckTests {
    private static let usual = [
        (":method", "POST"), (":scheme", "http"), (":path", "/a.B/C"), (":authority", "localhost"),
        ("content-type", "application/grpc"),
    ]

    private func isMalformed(_ fields: [(String, String)]) -> Bool {
        RequestHeaders(HPACKHeaders(fields)).check.isMalformed
    }

    @Test(
        arguments: [
            [], [("te", "trailers")], [("x-a", "a b\t\u{E9}")], [("!#$%&'*+-.^_`|~09az", "")],
            [("x-a", "1"), ("x-a", "2")], [("content-length", "0")], [("content-length", "7, 7")],
            [("content-length", "7"), ("content-length", "7")], [("host", "localhost")], [("host", "LocalHost")],
        ] as [[(String, String)]]
    )
    func validHeadersAreAccepted(_ fields: [(String, String)]) { #expect(!isMalformed(Self.usual + fields)) }

    @Test(
        arguments: [
            // Connections (section 8.2.2)
            [("connection", "close")], [("keep-alive", "1")], [("proxy-connection", "close")],
            [("transfer-encoding", "chunked")], [("upgrade", "h2c")], [("te", "gzip")], [("te", "")],
            [("te", "trailers, gzip")],
            // Names (section 8.2.1)
            [("X-A", "1")], [("Te", "trailers")], [("x a", "1")], [("x:a", "1")], [("x-\u{E9}", "1")],
            [("x\u{0}", "1")], [("x(", "1")], [("grpc-A", "1")],
            // Values
            [("x-a", "1\r")], [("x-a", "\n1")], [("x-a", "1\u{0}2")], [("user-agent", "1\r\nx-b: 2")],
            [("content-type", "application/grpc\n")], [("x-a", " 1")], [("x-a", "1 ")], [("x-a", "\t")],
            [("user-agent", "a\t")], [("content-length", " 7")],
            // The host (section 8.3.1)
            [("host", "localhost:80")], [("host", "")], [("host", "localhost"), ("host", "other")],
            // Pseudo-headers (section 8.3)
            [(":path", "/d.E/F")], [(":authority", "localhost")], [(":status", "200")], [(":protocol", "websocket")],
            [(":x", "1")], [(":", "1")],
            // The size of the body (section 8.1.1)
            [("content-length", "")], [("content-length", "-1")], [("content-length", "+1")],
            [("content-length", "1 1")], [("content-length", "0x1")], [("content-length", "99999999999999999999")],
            [("content-length", "7, 8")], [("content-length", "7"), ("content-length", "8")],
        ] as [[(String, String)]]
    )
    func invalidHeadersAreRefused(_ fields: [(String, String)]) { #expect(isMalformed(Self.usual + fields)) }

    @Test(arguments: [":method", ":scheme", ":path"])
    func aPseudoHeaderMayNotBeMissing(_ name: String) { #expect(isMalformed(Self.usual.filter { $0.0 != name })) }

    @Test func aRequestNeedsNoAuthority() { #expect(!isMalformed(Self.usual.filter { $0.0 != ":authority" })) }

    @Test(arguments: 0..<4)
    func aPseudoHeaderComesOnceAndBeforeTheOthers(_ index: Int) {
        #expect(isMalformed(Self.usual.prefix(4) + [Self.usual[index]]))
        var fields = Self.usual
        fields.append(fields.remove(at: index))
        #expect(isMalformed(fields))
    }

    @Test(arguments: [
        (":method", "PO ST"), (":scheme", "ht\ttp"), (":path", "/a b"), (":path", "/a\r\n"), (":path", ""),
        (":authority", "a\u{0}"), (":authority", "a\u{7F}"),
    ])
    func aPseudoHeaderHasNoWhiteSpace(_ name: String, _ value: String) {
        #expect(isMalformed(Self.usual.map { $0.0 == name ? (name, value) : $0 }))
    }

    /// A request that asks for a tunnel names a host, and nothing else.
    @Test func connectNamesAHost() {
        #expect(!isMalformed([(":method", "CONNECT"), (":authority", "a:1")]))
        #expect(isMalformed([(":method", "CONNECT")]))
        #expect(isMalformed([(":method", "CONNECT"), (":authority", "a:1"), (":path", "/")]))
        #expect(isMalformed([(":method", "CONNECT"), (":scheme", "http"), (":path", "/")]))
    }

    @Test func theBodysSizeIsKnown() {
        let headers = RequestHeaders(HPACKHeaders(Self.usual + [("content-length", "0017")]))
        #expect(headers.check.contentLength == 17)
        #expect(RequestHeaders(HPACKHeaders(Self.usual)).check.contentLength == nil)
    }

    @Test(arguments: [
        ("x-a", true), ("te", true), (":path", false), ("connection", false), ("X-A", false), ("", false),
    ])
    func trailersHaveNoPseudoHeaders(_ name: String, _ areTrailers: Bool) {
        #expect(HeaderCheck.areTrailers([name: "1"]) == areTrailers)
        #expect(!HeaderCheck.areTrailers([name: "1\n"]))
    }

    /// The parser of HTTP/1.1 takes what concerns its connection.
    @Test func http1HasItsOwnRules() {
        let fields: HPACKHeaders = [
            ":method": "POST", ":path": "/a.B/C", "connection": "close", "content-type": "application/json",
        ]
        #expect(HTTPRules().read(fields, isLoopback: false, isHTTP2: false).call != nil)
        guard case .malformed = HTTPRules().read(fields, isLoopback: false, isHTTP2: true) else {
            Issue.record("HTTP/2 does not")
            return
        }
    }
}
