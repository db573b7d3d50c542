import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// Peers that begin and do not end, that take nothing, or that send more than is kept, beside a good client.
@Suite(.timeLimit(.minutes(10)))
struct SlowPeerTests {
    typealias Frame = HTTP2Peer.Frame

    private static func shortFrames(_ configuration: inout ServerConfiguration) {
        configuration.frameTimeout = .seconds(1)
    }

    // MARK: Peers that are gone

    /// HTTP/1.1 has no pings, so the kernel finds out.
    @Test func theKernelProbesASilentPeer() async throws {
        try await HTTP1Peer.run { server, peer in
            #expect(try await peer.call("Echo", [1])?.status == 200)
            guard case .tcp(_, let port) = server.addresses[0] else { return }
            let suffix = ":" + String(format: "%04X", port)
            try await eventually {
                // All at once: the kernel gives it page by page.
                let bytes = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd() ?? Data()
                let table = String(decoding: bytes, as: UTF8.self)
                // proc_net_tcp: the local address, the state 1 (established), the timer 2 (keepalive) and its hundredths of
                // a second.
                return table.split(separator: "\n").contains { line in
                    let fields = line.split(separator: " ")
                    guard fields.count > 5, fields[1].hasSuffix(suffix), fields[3] == "01" else { return false }
                    let timer = fields[5].split(separator: ":")
                    return timer[0] == "02" && Int(timer[1], radix: 16).map { $0 <= 12_000 } ?? false
                }
            }
        }
    }

    // MARK: Frames that do not end

    /// A part of a frame that has no meaning, and headers without their end. For others, see `ConnectionContractTests`.
    @Test func framesThatAreNotCompleteInTimeEndTheirConnections() async throws {
        try await TestServer.runBesideAGoodClient(TestMethods(), Self.shortFrames) { server in
            for isUnknown in [true, false] {
                try await HTTP2Peer.connected(to: server, settings: []) { peer in
                    let headers = HTTP2Peer.bytes([Frame(type: 1, stream: 1, payload: try peer.headers("Echo"))])
                    await peer.send(isUnknown ? HTTP2Peer.bytes([.unknown]).dropped(last: 1) : headers)
                    _ = await peer.end()
                }
            }
            #expect(server.count(of: .frameTimeout) >= 2)
        }
    }

    /// There is always a part of a frame, and each is complete in time.
    @Test func framesMayArriveInParts() async throws {
        try await HTTP2Peer.runBesideAGoodClient(Self.shortFrames, settings: []) { server, peer in
            let begin = NIODeadline.now()
            var rest = ByteBuffer()
            var stream: UInt32 = 1
            while NIODeadline.now() - begin < .milliseconds(1_500) {
                rest.writeImmutableBuffer(HTTP2Peer.bytes(try peer.call("Echo", [1], on: stream)))
                await peer.send(rest.dropped(last: 1))
                rest = rest.getSlice(at: rest.writerIndex - 1, length: 1) ?? ByteBuffer()
                if stream > 1 {
                    let answer = await peer.nextFrame { $0.type == 0 }
                    try #require(answer?.stream == stream - 2)
                }
                stream += 2
            }
            #expect(server.count(of: .frameTimeout) == 0)
        }
    }

    // MARK: Peers that take no answers

    /// A slow peer takes something between two looks.
    @Test func anAnswerThatIsTakenSlowlyIsNotReset() async throws {
        try await HTTP2Peer.runBesideAGoodClient(
            { $0.creditTimeout = .seconds(2) },
            settings: .window(0)
        ) { server, peer in
            let id = try await peer.start("Echo", [UInt8](repeating: 1, count: 20))
            let begin = NIODeadline.now()
            var answer = HTTP2Peer.Answer()
            while answer.data.readableBytes < 25 {
                while NIODeadline.now() - begin < .milliseconds(120) * (answer.data.readableBytes + 1) {
                    await Task.yield()
                }
                await peer.send([.windowUpdate(1, on: id)])
                while let frame = try await peer.nextFrame(on: id) {
                    _ = answer.take(frame)
                    if case .data = frame { break }
                    try #require(answer.reset == nil)
                }
            }
            answer = try await peer.answer(on: id, to: answer)
            #expect(answer.status == .ok)
        }
    }

    /// The window of the connection takes 65,535 bytes of all streams together.
    @Test func streamsThatWaitForTheWindowOfTheConnectionKeepLittle() async throws {
        try await HTTP2Peer.runBesideAGoodClient(
            { $0.creditTimeout = .milliseconds(300) },
            settings: [(4, 1 << 24)]
        ) { server, peer in
            await peer.send(
                try peer.onStreams(100) { try $1.call("Count", [0xFF, 0xFF, 0, 0, 0x3, 0xE8], on: $0) }
            )
            var (byteCount, ended) = (0, 0)
            while ended < 100, let frame = await peer.nextFrame() {
                if frame.type == 0 { byteCount += frame.payload.readableBytes }
                let endStream = frame.type == 3 || frame.type == 1 && frame.flags & Frame.endStream != 0
                if endStream { ended += 1 }
                #expect(server.unsentByteCount <= 101 * 1_005)
            }
            #expect((byteCount, ended) == (65_535, 100))
            #expect(server.count(of: .creditTimeout) == 100)
        }
    }

    // MARK: Peers that send more than is kept

    /// Each stream may fill its first window. Only one of these requests gets more at a time, in their order; all others wait.
    @Test func largeRequestsAreLetInOneAfterTheOther() async throws {
        try await HTTP2Peer.runBesideAGoodClient(settings: []) { server, peer in
            let isAnswer = { (frame: Frame) in frame.type == 4 && frame.flags == 1 }
            _ = await peer.nextFrame(where: isAnswer)
            let (count, size) = (10, 300_000)
            let message = HTTP2Peer.prefixed([UInt8](repeating: 1, count: size))
            var opened: [UInt32: Int] = [:]
            for stream in (0..<count).map({ UInt32(2 * $0 + 1) }) {
                await peer.send([try peer.head("Large", on: stream)])
                for start in stride(from: 0, to: 65_000, by: 13_000) {
                    let part = message.getSlice(at: start, length: 13_000) ?? ByteBuffer()
                    await peer.send([.data(part, on: stream), .settings([])])
                    while let frame = await peer.nextFrame(), !isAnswer(frame) {
                        if frame.type == 8 { opened[frame.stream, default: 0] += frame.increment }
                    }
                }
            }
            #expect(Set(opened.keys) == [0, 1], "the connection, and the first stream")
            #expect(opened[1] == size + 5 - 65_535)
            #expect(server.inboundByteCount > count * 65_000)
            #expect(server.inboundByteCount < 2 * count * 65_536, "each in storage of a power of two")
            for stream in (0..<count).map({ UInt32(2 * $0 + 1) }) {
                for start in stride(from: 65_000, to: size + 5, by: 16_000) {
                    let length = min(16_000, size + 5 - start)
                    let part = message.getSlice(at: start, length: length) ?? ByteBuffer()
                    await peer.send([.data(part, on: stream, endStream: start + length == size + 5)])
                }
                let end = await peer.nextFrame { $0.stream == stream && $0.isEndOfStream }
                #expect(end?.type == 1)
            }
        }
    }
}

extension ByteBuffer {
    fileprivate func dropped(last count: Int) -> ByteBuffer {
        var bytes = self
        return bytes.readSlice(length: bytes.readableBytes - count) ?? ByteBuffer()
    }
}
