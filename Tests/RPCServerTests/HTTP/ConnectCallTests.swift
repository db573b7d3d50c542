import HTTPFraming
import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import RPCServer

/// Connect's calls over HTTP/1.1, by bytes.
@Suite(.timeLimit(.minutes(10)))
struct ConnectCallTests {
    private static let json = ("Content-Type", "application/json")

    // MARK: Unary calls

    @Test func jsonIsTranslated() async throws {
        try await HTTP1Peer.run { server, peer in
            let answer = try #require(try await peer.call("Text", Array(#"{"service":"é"}"#.utf8), [Self.json]))
            #expect((answer.status, answer.headers["content-type"]) == (200, "application/json"))
            #expect(answer.text == #"{"service":"é"}"#)
            let wrong = try #require(try await peer.call("Text", Array(#"{"other":1}"#.utf8), [Self.json]))
            #expect(wrong.status == 400)
            #expect(wrong.text.hasPrefix(#"{"code":"invalid_argument","message":"other is an unknown field"#))
            let marks = Array((#"{"service":"m"# + String(repeating: "\u{301}", count: 31) + #""}"#).utf8)
            #expect(try await peer.call("Text", marks, [Self.json])?.text.contains("TEXT_INVALID") == true)
            let none = try #require(try await peer.call("Text", [], [Self.json]))
            #expect(none.status == 400, "no JSON is not the default message")
            let missing = try #require(try await peer.call("Echo", [1], [Self.json]))
            #expect(missing.status == 501, "its messages have no JSON")
            let large = try #require(try await peer.call("Text", [UInt8](repeating: 32, count: 131_073), [Self.json]))
            #expect(large.status == 429)
            #expect(large.text.contains("request has more than 131072 bytes of JSON"))
        }
    }

    // MARK: Compression

    @Test func requestsAndAnswersMayBeCompressed() async throws {
        try await HTTP1Peer.run(rules: HTTPRules(compressesAnswers: true)) { server, peer in
            let message = [UInt8](repeating: 7, count: 50_000)
            let compressed = try #require(Gzip.compress(message))
            let headers = [("Content-Encoding", "gzip"), ("Accept-Encoding", "br, gzip")]
            let answer = try #require(try await peer.call("Echo", compressed, headers))
            #expect(answer.headers["content-encoding"] == "gzip")
            #expect(try Gzip.decompress(answer.body, maximum: 50_000) == message)
            let plain = try #require(try await peer.call("Echo", compressed, [("Content-Encoding", "gzip")]))
            #expect((plain.headers["content-encoding"], plain.body) == (nil, message))
            let bad = try #require(try await peer.call("Echo", [1, 2, 3], [("Content-Encoding", "gzip")]))
            #expect(bad.status == 400)
        }
    }

    /// RFC 9110, section 12.5.5.
    @Test(arguments: [(true, "Accept-Encoding"), (false, nil)] as [(Bool, String?)])
    func anAnswerThatMayBeCompressedVaries(_ compresses: Bool, _ vary: String?) async throws {
        try await HTTP1Peer.run(rules: HTTPRules(compressesAnswers: compresses)) { server, peer in
            #expect(try await peer.call("Echo", [1])?.headers["vary"] == vary)
            let stream = try await peer.call("Count", [0, 0, 0, 0, 0], [Self.stream])
            #expect(stream?.headers["vary"] == vary.map { "Connect-\($0)" })
        }
    }

    // MARK: Streams

    private static let stream = ("Content-Type", "application/connect+proto")

    @Test func theMessagesOfAStreamMayBeCompressed() async throws {
        try await HTTP1Peer.run(rules: HTTPRules(compressesAnswers: true)) { server, peer in
            let request = try #require(Gzip.compress([0, 2, 0, 0, 8, 0]))
            for encoding in ["gzip", "GZIP", "x-gzip"] {
                let headers = [
                    Self.stream, ("Connect-Content-Encoding", encoding), ("Connect-Accept-Encoding", "gzip"),
                ]
                let answer = try #require(
                    try await peer.call("Count", Array(HTTP2Peer.prefixed(request, flag: 1).readableBytesView), headers)
                )
                #expect((answer.status, answer.headers["connect-content-encoding"]) == (200, "gzip"))
                var (rest, allFlags) = (Envelopes(), [UInt8]())
                rest.append(ByteBuffer(bytes: answer.body))
                while let (flags, message) = rest.next() {
                    allFlags.append(flags)
                    guard flags == 1 else { continue }
                    let bytes = Array(message.readableBytesView)
                    #expect(try Gzip.decompress(bytes, maximum: 2_048).count == 2_048)
                }
                #expect(allFlags == [1, 1, 2])
            }
            let headers = [Self.stream, ("Connect-Content-Encoding", "gzip")]
            let bad = try #require(try await peer.call("Count", [1, 0, 0, 0, 2, 1, 2], headers))
            #expect(bad.text.contains(#""code":"invalid_argument""#))
        }
    }
}
