import HTTPFraming
import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import RPCServer

/// gRPC calls over real sockets, by a client that sends what it wants.
@Suite(.timeLimit(.minutes(1)))
struct GRPCCallTests {
    // MARK: Errors

    @Test(arguments: [
        (":path", "/test.v1.Test/Nothing", StatusCode.unimplemented), (":path", "/other.Service/Echo", .unimplemented),
        (":path", "/Echo", .unimplemented), ("grpc-timeout", "soon", .internalError),
        ("grpc-timeout", "0S", .deadlineExceeded), ("grpc-encoding", "br", .unimplemented),
        ("x-long", String(repeating: "x", count: 9_000), .resourceExhausted),
    ])
    func aHeadThatIsNotAcceptedIsAnswered(_ name: String, _ value: String, _ status: StatusCode) async throws {
        try await HTTP2Peer.run { (server, peer) async throws in
            #expect(try await peer.call("Echo", [1], [(name, value)]).status == status)
            #expect(try await peer.call("Echo", [1]).status == .ok, "the connection continues")
        }
    }

    @Test(arguments: [("content-type", "text/plain", "415"), (":method", "GET", "405")])
    func aRequestThatIsNotACallGetsAnHTTPStatus(_ name: String, _ value: String, _ status: String) async throws {
        try await HTTP2Peer.run { server, peer in
            let answer = try await peer.call("Echo", [1], [(name, value)])
            #expect(answer.head?.first(name: ":status") == status)
            #expect(answer.status == nil)
        }
    }

    @Test(arguments: [
        ([] as [UInt8], StatusCode.unimplemented), ([0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 1, 8], .unimplemented),
        ([0, 0, 0], .internalError), ([0, 0, 0, 0, 2, 7], .internalError), ([1, 0, 0, 0, 1, 7], .internalError),
        ([9, 0, 0, 0, 1, 7], .internalError), ([0, 0, 9, 0, 0], .resourceExhausted),
    ])
    func aBodyThatIsNotOneMessageIsRefused(_ bytes: [UInt8], _ status: StatusCode) async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Echo"))
            await peer.send(ByteBuffer(bytes: bytes), on: id)
            #expect(try await peer.answer(on: id).status == status)
            #expect(try await peer.call("Echo", [1]).status == .ok)
        }
    }

    /// What is accepted is also what a client is told.
    @Test func anEncodingThatIsNotAcceptedIsAnsweredWithThoseThatAre() async throws {
        try await HTTP2Peer.run { server, peer in
            let refused = try await peer.call("Echo", [1], [("grpc-encoding", "snappy")])
            #expect(refused.status == .unimplemented)
            #expect(refused.head?.first(name: "grpc-accept-encoding") == "identity,gzip")
            #expect(try await peer.call("Echo", [1], [("grpc-encoding", "identity")]).status == .ok)
        }
    }

    @Test func aRequestThatIsNotCompleteInTimeIsEnded() async throws {
        try await HTTP2Peer.run(.with { $0.frameTimeout = .milliseconds(300) }) { server, peer in
            let slow = try await peer.begin(HTTP2Peer.head("Echo"))
            await peer.send(ByteBuffer(bytes: [0, 0, 0]), on: slow, isEnd: false)
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

    /// A caller's text that made the status too long for a frame would end all calls of the connection.
    @Test func theNameOfAnEncodingIsNotRepeated() async throws {
        try await HTTP2Peer.run { server, peer in
            let name = String(repeating: "%", count: 10_000)
            #expect(try await peer.call("Echo", [1], [("grpc-encoding", name)]).status == .unimplemented)
            let long = [UInt8](repeating: 0x25, count: 30_000)
            let answer = try await peer.call("Status", [2] + long)
            #expect(answer.status == .unknown)
            #expect((1_000...8_000).contains(answer.message?.utf8.count ?? 0))
            #expect(try await peer.call("Echo", [1]).status == .ok)
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

    @Test func eachRequestOfAConversationIsAnsweredAtOnce() async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Talk"))
            var answer = HTTP2Peer.Answer()
            for number: UInt8 in 1...100 {
                await peer.send(HTTP2Peer.prefixed([number]), on: id, isEnd: false)
                while answer.messages.count < number, let frame = try await peer.nextFrame(on: id) {
                    let isLast = answer.take(frame)
                    try #require(!isLast)
                }
            }
            await peer.send(ByteBuffer(), on: id)
            answer = try await peer.answer(on: id, to: answer)
            #expect(answer.status == .ok)
            #expect(answer.messages.map { Array($0.readableBytesView) } == (1...100).map { [$0] })
        }
    }

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

    /// More than a window in all.
    @Test func aConversationMayBeLong() async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Talk"))
            var answer = HTTP2Peer.Answer()
            for count in 1...20 {
                await peer.send(HTTP2Peer.prefixed([UInt8](repeating: 1, count: 10_000)), on: id, isEnd: false)
                while answer.data.readableBytes < count * 10_005, let frame = try await peer.nextFrame(on: id) {
                    let isLast = answer.take(frame)
                    try #require(!isLast)
                }
            }
            await peer.send(ByteBuffer(), on: id)
            #expect(try await peer.answer(on: id, to: answer).status == .ok)
        }
    }
}
