import HTTPFraming
import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import RPCServer

/// gRPC calls over real sockets, by a client that sends what it wants.
@Suite(.timeLimit(.minutes(10)))
struct GRPCCallTests {
    // MARK: Errors

    @Test func anEncodingThatIsNotAcceptedIsAnsweredWithThoseThatAre() async throws {
        try await HTTP2Peer.run { server, peer in
            let refused = try await peer.call("Echo", [1], [("grpc-encoding", "snappy")])
            #expect(refused.status == .unimplemented)
            #expect(refused.head?.first(name: "grpc-accept-encoding") == "identity,gzip")
            #expect(try await peer.call("Echo", [1], [("grpc-encoding", "identity")]).status == .ok)
        }
    }

    @Test func aRequestThatIsNotCompleteInTimeIsEnded() async throws {
        try await HTTP2Peer.run(.with { $0.frameTimeout = .seconds(1) }) { server, peer in
            let slow = try await peer.begin(HTTP2Peer.head("Echo"))
            await peer.send(ByteBuffer(bytes: [0, 0, 0]), on: slow, endStream: false)
            // More than are remembered.
            for _ in 0..<400 { #expect(try await peer.call("Echo", [1]).status == .ok) }
            #expect(try await peer.answer(on: slow).status == .deadlineExceeded)
            #expect(server.count(of: .frameTimeout) == 1)
        }
    }

    // MARK: Compression

    @Test func requestsAndAnswersMayBeCompressed() async throws {
        try await HTTP2Peer.run(rules: HTTPRules(compressesAnswers: true)) { server, peer in
            let message = [UInt8](repeating: 7, count: 50_000)
            let compressed = try #require(Gzip.compress(message))
            for (flag, bytes) in [(1 as UInt8, compressed), (0, message)] {
                let head = HTTP2Peer.head("Echo", [("grpc-encoding", "gzip"), ("grpc-accept-encoding", "gzip")])
                let id = try await peer.begin(head)
                await peer.send(HTTP2Peer.prefixed(bytes, flag: flag), on: id)
                let answer = try await peer.answer(on: id)
                #expect((answer.status, answer.head?.first(name: "grpc-encoding")) == (.ok, "gzip"))
                #expect(answer.data.getInteger(at: 0, as: UInt8.self) == 1)
                let body = Array(answer.data.readableBytesView.dropFirst(5))
                #expect(try Gzip.decompress(body, maximum: 50_000) == message)
            }
            let small = try await peer.call("Echo", [1], [("grpc-accept-encoding", "gzip")])
            #expect(small.messages.map { Array($0.readableBytesView) } == [[1]], "it would not be smaller")
        }
    }

    /// Each message is compressed, and has its flag.
    @Test func theMessagesOfAStreamMayBeCompressed() async throws {
        try await HTTP2Peer.run(rules: HTTPRules(compressesAnswers: true)) { server, peer in
            let accepts = [("grpc-accept-encoding", "identity,gzip")]
            var answer = try await peer.call("Count", HTTP2Peer.count(3, size: 31_415), accepts)
            #expect((answer.status, answer.head?.first(name: "grpc-encoding")) == (.ok, "gzip"))
            for _ in 0..<3 {
                let prefix = answer.data.readMultipleIntegers(as: (UInt8, UInt32).self)
                let (flag, length) = try #require(prefix)
                let bytes = answer.data.readBytes(length: Int(length)) ?? []
                #expect((flag, try Gzip.decompress(bytes, maximum: 100_000).count) == (1, 31_415))
            }
            #expect(answer.data.readableBytes == 0)
        }
    }

    @Test func anInvalidCompressedMessageIsRefused() async throws {
        try await HTTP2Peer.run { server, peer in
            let bomb = try #require(Gzip.compress([UInt8](repeating: 0, count: 8 << 20)))
            for (bytes, status) in [([1, 2, 3], StatusCode.internalError), (bomb, .resourceExhausted)] {
                let id = try await peer.begin(HTTP2Peer.head("Echo", [("grpc-encoding", "gzip")]))
                await peer.send(HTTP2Peer.prefixed(bytes, flag: 1), on: id)
                #expect(try await peer.answer(on: id).status == status)
            }
        }
    }

    // MARK: Further requests

    @Test func requestsOfAConversationMayComeTogetherOrNotAtAll() async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Talk"))
            var bytes = HTTP2Peer.prefixed([1])
            bytes.writeImmutableBuffer(HTTP2Peer.prefixed([2, 2]))
            await peer.send(bytes, on: id)
            #expect(try await peer.answer(on: id).messages.map(\.readableBytes) == [1, 2])
            let none = try await peer.begin(HTTP2Peer.head("Talk"))
            await peer.send(ByteBuffer(), on: none)
            let answer = try await peer.answer(on: none)
            #expect((answer.status, answer.messages.count) == (.ok, 0))
            let cut = try await peer.begin(HTTP2Peer.head("Talk"))
            await peer.send(ByteBuffer(bytes: [0, 0, 0, 0, 1, 7, 0, 0]), on: cut)
            #expect(try await peer.answer(on: cut).status == .internalError)
        }
    }

    /// Each request is answered at once, and they are more than a window in all.
    @Test func aConversationMayBeLong() async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Talk"))
            var answer = HTTP2Peer.Answer()
            for count: UInt8 in 1...20 {
                await peer.send(HTTP2Peer.prefixed([UInt8](repeating: count, count: 10_000)), on: id, endStream: false)
                while answer.data.readableBytes < Int(count) * 10_005, let frame = try await peer.nextFrame(on: id) {
                    let isLast = answer.take(frame)
                    try #require(!isLast)
                }
            }
            await peer.send(ByteBuffer(), on: id)
            answer = try await peer.answer(on: id, to: answer)
            #expect(answer.status == .ok)
            #expect(answer.messages.map { $0.getInteger(at: $0.readerIndex) } == (1...20).map(UInt8.init))
        }
    }
}
