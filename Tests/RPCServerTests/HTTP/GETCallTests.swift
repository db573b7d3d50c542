import Foundation
import HTTPFraming
import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import RPCServer

/// Calls by GET of methods without side effects (connectrpc.com/docs/protocol, "Unary-Get-Request"), over both versions of
/// HTTP.
@Suite(.timeLimit(.minutes(10)))
struct GETCallTests {
    private static let text = "/test.v1.Test/Text"
    private static let json = "\(text)?encoding=json&message=%7B%22service%22:%22a+b%22%7D"
    private static let shared = "/test.v1.Test/Shared?encoding=proto&message=abc"
    /// A message with the text `a b`.
    private static let encoded: [UInt8] = [10, 3, 97, 32, 98]

    private static func gzipped(_ bytes: [UInt8]) -> String {
        base64(Gzip.compress(bytes) ?? [])
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    // MARK: Refusals

    /// A query, and what is wrong with it.
    @Test(arguments: [
        ("", 400, "encoding is missing"), ("?encoding=json", 400, "message is missing"),
        ("?message=%7B%7D", 400, "encoding is missing"), ("?encoding=xml&message=", 415, "use json or proto"),
        ("?encoding=JSON&message=%7B%7D", 415, "use json or proto"),
        ("?encoding=&message=%7B%7D", 415, "CODEC_UNSUPPORTED"),
        ("?connect=v2&encoding=json&message=%7B%7D", 400, "unsupported Connect version: use connect=v1"),
        ("?encoding=json&encoding=json&message=%7B%7D", 400, "encoding occurs twice"),
        ("?encoding=json&message=%7B%7D&message=%7B%7D", 400, "message occurs twice"),
        ("?encoding=json&message=%7B%7D&%6Dessage=%7B%7D", 400, "message occurs twice"),
        ("?encoding=json&message=%7B%7", 400, "percent escape"), ("?encoding=json&message=%zz", 400, "percent escape"),
        ("?encoding=json&message=%", 400, "percent escape"), ("?encoding=%f&message=%7B%7D", 400, "percent escape"),
        ("?encoding=json&base64=1&message=%7B%7D", 400, "base64"),
        ("?encoding=proto&base64=1&message=A", 400, "base64"), ("?encoding=proto&message=%ff", 400, "UTF-8"),
        ("?encoding=json&message=", 400, "REQUEST_MALFORMED"), ("?encoding=json&message=%7B", 400, "REQUEST_MALFORMED"),
        ("?encoding=json&message=%7B%22x%22:1%7D", 400, "invalid_argument"),
        ("?encoding=json&compression=br&message=%7B%7D", 501, "ENCODING_UNSUPPORTED"),
        ("?encoding=json&compression=gzip&message=%7B%7D", 400, "not valid gzip"),
    ])
    func aQueryThatIsMalformedIsRefused(_ query: String, _ status: Int, _ text: String) async throws {
        try await HTTPAnswer.ofBothVersions("GET", Self.text + query) { answer in
            #expect((answer.status, answer.text.contains(text)) == (status, true), "\(answer.text)")
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(answer.headers["etag"] == nil)
        }
    }

    /// The message is a part of the headers, and has their limit.
    @Test func aLongQueryIsRefused() async throws {
        try await HTTP2Peer.run { server, peer in
            let head: HPACKHeaders = [
                ":method": "GET", ":scheme": "http", ":authority": "localhost",
                ":path": Self.json + String(repeating: "&x=12345", count: 2100),
            ]
            let answer = try await peer.answer(on: try await peer.begin(head, endStream: true))
            #expect(answer.head?.first(name: ":status") == "431")
        }
        try await HTTP1Peer.run { server, peer in
            let path = Self.json + String(repeating: "&x=12345", count: 2100)
            try await peer.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await peer.answer()?.status == 431)
        }
    }

    /// The limit of a message counts once it is decompressed.
    @Test func aMessageThatGrowsTooLargeIsRefused() async throws {
        let message = Self.gzipped([UInt8](repeating: 32, count: 3_000_000))
        #expect(message.count < 8000)
        try await HTTPAnswer.ofBothVersions(
            "GET",
            "\(Self.text)?encoding=json&base64=1&compression=gzip&message=\(message)"
        ) { answer in
            #expect((answer.status, answer.text.contains("MESSAGE_TOO_LARGE")) == (429, true))
        }
    }

    // MARK: Answers

    @Test(arguments: [
        json, "\(text)?connect=v1&encoding=json&message=%7b%22service%22%3A%22a%20b%22%7d",
        "\(text)?x=%zz&message=%7B%22service%22:%22a+b%22%7D&y&=&encoding=json&base64=2&x=1",
        "\(text)?connect=v1&base64=1&encoding=json&message=\(base64(Array(#"{"service":"a b"}"#.utf8)))",
        "\(text)?connect=v1&base64=1&compression=gzip&encoding=json&message="
            + gzipped(Array(#"{"service":"a b"}"#.utf8)),
    ])
    func aMessageInJSONIsAnsweredInJSON(_ path: String) async throws {
        try await HTTPAnswer.ofBothVersions("GET", path) { answer in
            #expect((answer.status, answer.text) == (200, #"{"service":"a b"}"#))
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.headers["content-length"] == "17")
            #expect(answer.headers["cache-control"] == "private, no-cache")
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["etag"]?.isEmpty == false)
        }
    }

    @Test(arguments: [
        "connect=v1&base64=1&encoding=proto&message=\(base64(encoded))", "encoding=proto&base64=1&message=CgNhIGI%3D",
        "encoding=proto&message=%0A%03a+b", "compression=gzip&base64=1&encoding=proto&message=\(gzipped(encoded))",
    ])
    func anEncodedMessageIsAnsweredEncoded(_ query: String) async throws {
        try await HTTPAnswer.ofBothVersions("GET", "\(Self.text)?\(query)") { answer in
            #expect((answer.status, answer.body) == (200, Self.encoded))
            #expect(answer.headers["content-type"] == "application/proto")
        }
    }

    /// "Servers must not attempt to decompress zero-length Message-Query."
    @Test(arguments: ["", "&compression=gzip&base64=1"])
    func anEmptyEncodedMessageIsTheDefault(_ parameters: String) async throws {
        try await HTTPAnswer.ofBothVersions("GET", "\(Self.text)?encoding=proto&message=\(parameters)") { answer in
            #expect((answer.status, answer.body) == (200, []))
        }
    }

    /// Our own addition: Connect has GET for methods with one answer only.
    @Test func aStreamIsReadUpToItsFirstMessage() async throws {
        let message = Self.base64([0, 3, 0, 0, 0, 6])
        try await HTTPAnswer.ofBothVersions("GET", "/test.v1.Test/Count?encoding=proto&base64=1&message=\(message)") {
            #expect(($0.status, $0.body) == (200, [0, 0, 0, 0, 0, 0]))
        }
    }

    /// A request's headers describe a body, which a GET does not have.
    @Test func headersOfABodyHaveNoEffect() async throws {
        let headers = [("content-type", "application/proto"), ("content-encoding", "br")]
        try await HTTPAnswer.ofBothVersions("GET", Self.json, headers, [1, 2, 3]) { answer in
            #expect((answer.status, answer.text) == (200, #"{"service":"a b"}"#))
        }
    }

    @Test func deadlinesAndVersionsAreThoseOfConnect() async throws {
        for (name, value, status) in [("connect-timeout-ms", "0", 504), ("connect-protocol-version", "2", 400)] {
            try await HTTPAnswer.ofBothVersions("GET", Self.json, [(name, value)]) { #expect($0.status == status) }
        }
    }

    @Test func anErrorIsNotStored() async throws {
        let path = "/test.v1.Test/FailedRead?encoding=proto&message="
        try await HTTPAnswer.ofBothVersions("GET", path) { answer in
            #expect((answer.status, answer.headers["cache-control"]) == (404, "no-store"))
            #expect(answer.text.contains(#""code":"not_found""#))
        }
    }

    // MARK: Caches

    @Test func headersAloneMayBeAsked() async throws {
        var etag: String?
        try await HTTPAnswer.ofBothVersions("GET", Self.json) { etag = $0.headers["etag"] }
        try await HTTPAnswer.ofBothVersions("HEAD", Self.json) { answer in
            #expect((answer.status, answer.body, answer.headers["content-length"]) == (200, [], "17"))
            #expect(answer.headers["etag"] == etag)
        }
    }

    @Test func anAnswerThatTheCallerHasIsNotSent() async throws {
        var etag = ""
        try await HTTPAnswer.ofBothVersions("GET", Self.json) { etag = try #require($0.headers["etag"]) }
        for verb in ["GET", "HEAD"] {
            try await HTTPAnswer.ofBothVersions(verb, Self.json, [("if-none-match", "\"x\", \(etag)")]) { answer in
                #expect((answer.status, answer.body, answer.headers["etag"]) == (304, [], etag))
                #expect(answer.headers["cache-control"] == "private, no-cache")
                #expect(answer.headers["content-type"] == nil)
            }
        }
        let other = Self.json.replacing("a+b", with: "a+c")
        try await HTTPAnswer.ofBothVersions("HEAD", other, [("if-none-match", etag)]) { answer in
            #expect((answer.status, answer.headers["etag"] == etag) == (200, false))
        }
    }

    @Test func anAnswerThatIsTheSameForAllMayBeStored() async throws {
        try await HTTPAnswer.ofBothVersions("GET", Self.shared) { answer in
            #expect((answer.status, answer.headers["cache-control"]) == (200, "public, max-age=60"))
        }
    }

    @Test func aPOSTHasNoTag() async throws {
        let headers = [("content-type", "application/json")]
        try await HTTPAnswer.ofBothVersions("POST", Self.text, headers, Array("{}".utf8)) { answer in
            #expect((answer.status, answer.headers["etag"], answer.headers["cache-control"]) == (200, nil, nil))
        }
    }

    @Test func compressedAnswersHaveTagsOfTheirOwn() async throws {
        let path = "\(Self.text)?encoding=json&message=%7B%22service%22:%22\(String(repeating: "a", count: 2000))%22%7D"
        let rules = HTTPRules(compressesAnswers: true)
        var tags: Set<String?> = []
        for encoding in ["gzip", "identity"] {
            try await HTTPAnswer.ofBothVersions("GET", path, [("accept-encoding", encoding)], rules: rules) { answer in
                #expect((answer.status, answer.headers["vary"]) == (200, "Accept-Encoding"))
                #expect((answer.headers["content-encoding"] == "gzip") == (encoding == "gzip"))
                tags.insert(answer.headers["etag"])
            }
        }
        #expect(tags.count == 2)
    }
}
