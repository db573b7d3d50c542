import HTTPFraming
import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore
import Testing

@testable import RPCServer

/// Those cases of gRPC's interop tests (grpc/doc/interop-test-descriptions.md) that need neither streams of requests nor
/// credentials, with the names and sizes that they have there.
@Suite(.timeLimit(.minutes(1)))
struct InteropTests {
    private func sizes(_ sizes: UInt32..., padding: Int = 0) -> [UInt8] {
        var bytes = ByteBuffer()
        for size in sizes { bytes.writeInteger(size) }
        return Array(bytes.readableBytesView) + [UInt8](repeating: 0, count: padding)
    }

    /// empty_unary
    @Test func anEmptyMessageIsAnsweredWithAnEmptyMessage() async throws {
        try await HTTP2Peer.run { server, peer in
            let answer = try await peer.call("Echo")
            #expect((answer.status, answer.messages) == (.ok, [ByteBuffer()]))
        }
    }

    /// large_unary
    @Test func aLargeMessageIsAnsweredWithALargeMessage() async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Sized"))
            await peer.send(HTTP2Peer.prefixed(sizes(314_159, padding: 271_828 - 4)), on: id)
            let answer = try await peer.answer(on: id)
            #expect((answer.status, answer.messages.map(\.readableBytes)) == (.ok, [314_159]))
        }
    }

    /// server_streaming
    @Test func aStreamOfMessagesOfManySizesArrivesInOrder() async throws {
        try await HTTP2Peer.run { server, peer in
            let answer = try await peer.call("Sizes", sizes(31_415, 9, 2_653, 58_979))
            #expect((answer.status, answer.messages.map(\.readableBytes)) == (.ok, [31_415, 9, 2_653, 58_979]))
        }
    }

    /// server_compressed_streaming
    @Test func theMessagesOfAStreamMayBeCompressed() async throws {
        let rules = HTTPRules(compressesAnswers: true)
        try await HTTP2Peer.run(rules: rules) { server, peer in
            let accepts = [("grpc-accept-encoding", "identity,gzip")]
            var answer = try await peer.call("Sizes", sizes(31_415, 9, 92_653), accepts)
            #expect((answer.status, answer.head?.first(name: "grpc-encoding")) == (.ok, "gzip"))
            var messages: [[UInt8]] = []
            while let (flag, length) = answer.data.readMultipleIntegers(as: (UInt8, UInt32).self) {
                let bytes = answer.data.readBytes(length: Int(length)) ?? []
                #expect(flag == (messages.count == 1 ? 0 : 1), "a small message is not compressed")
                messages.append(flag == 1 ? try Gzip.decompress(bytes, maximum: 100_000) : bytes)
            }
            #expect(messages.map(\.count) == [31_415, 9, 92_653])
            let plain = try await peer.call("Sizes", sizes(31_415, 92_653))
            #expect(plain.messages.map(\.readableBytes) == [31_415, 92_653])
        }
    }

    /// special_status_message
    @Test func theTextOfAStatusMayHaveAnyCharacters() async throws {
        let text = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"
        try await HTTP2Peer.run { server, peer in
            let answer = try await peer.call("Status", [2] + Array(text.utf8))
            #expect((answer.status, answer.message) == (.unknown, text))
            let encoded = "%09%0Atest with whitespace%0D%0Aand Unicode BMP %E2%98%BA and non-BMP %F0%9F%98%88%09%0A"
            #expect(answer.head?.first(name: "grpc-message") == encoded)
        }
    }

    /// timeout_on_sleeping_server
    @Test func aCallThatTakesLongerThanItsTimeoutEnds() async throws {
        let methods = TestMethods()
        try await HTTP2Peer.run(methods: methods) { server, peer in
            #expect(try await peer.call("Hold", [], [("grpc-timeout", "1m")]).status == .deadlineExceeded)
            try await eventually { methods.waitingCount == 0 }
        }
    }

    /// cancel_after_first_response
    @Test func aStreamThatIsCancelledAfterItsFirstMessageEnds() async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.start("Count", [0xFF, 0xFF] + sizes(10_000))
            while case .headers? = try await peer.nextFrame(on: id) {}
            await peer.send(.reset(id))
            try await eventually { server.count(of: .cancelReceived) == 1 }
            #expect(try await peer.call("Echo", [1]).status == .ok)
            #expect(server.unsentByteCount == 0)
        }
    }
}
