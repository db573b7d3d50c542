import Framing
import NIOCore
import RPCCore
import RPCServer
import Testing
import WireClients
import WireMessages

/// Watches: streams that have nothing to send until something happens.
@Suite(.timeLimit(.minutes(10)))
struct WatchTests {
    @Test func aWatchIsWokenOnceHoweverOftenAndFromWhereItIsWoken() async throws {
        try await TestServer.run { server, peer in
            for id in 0..<20 { try await peer.call("Follow", on: .number(id), flags: .remoteClosed) }
            let feed = server.service.feed
            try await eventually { feed.watcherCount == 20 }
            await withTaskGroup { group in
                for _ in 0..<10 { group.addTask { for _ in 0..<10 { feed.rise(wakeCount: 3) } } }
            }
            var received: [StreamID: [UInt32]] = [:]
            for _ in 0..<2000 {
                let frame = try #require(try await peer.nextFrame())
                received[frame.header.streamID, default: []].append(try #require(frame.number))
            }
            #expect(received.values.allSatisfy { $0 == Array(1...100) })
            #expect(feed.watcherCount == 20 && feed.listenerCount == 1)
        }
    }

    /// The runner of the connection's calls asks the method at that moment, and must not be entered a second time.
    @Test func aMethodMayWakeWatchesOfItsOwnConnection() async throws {
        try await TestServer.run { server, peer in
            for id in 0..<20 { try await peer.call("Follow", on: .number(id), flags: .remoteClosed) }
            try await eventually { server.service.feed.watcherCount == 20 }
            for id in 20..<30 { try await peer.call("Rise", on: .number(id)) }
            var received: [StreamID: [UInt32]] = [:]
            var answers = 0
            for _ in 0..<210 {
                let frame = try #require(try await peer.nextFrame())
                if frame.header.type == .response {
                    answers += 1
                } else {
                    received[frame.header.streamID, default: []].append(try #require(frame.number))
                }
            }
            #expect(answers == 10)
            #expect(received.count == 20)
            #expect(received.values.allSatisfy { $0 == Array(1...10) })
        }
    }

    /// As a client without streams asks what comes next.
    @Test func aWatchThatIsCalledAsUnaryAnswersWithItsFirstMessage() async throws {
        try await TestServer.run { server, peer in
            try await peer.call("Follow", on: 1)
            try await eventually { server.service.feed.listenerCount == 1 }
            server.service.feed.rise()
            let frame = try #require(try await peer.nextFrame())
            #expect(frame.header.type == .response)
            #expect(
                try ResponseEnvelope(decoding: frame.data, limit: .response).payload == ByteBuffer(integer: UInt32(1))
            )
            #expect(server.service.feed.listenerCount == 0)
        }
    }

    // MARK: Time

    @Test func aWatchIsAskedWhenItHasWaitedLongEnough() async throws {
        try await TestServer.run { server, peer in
            try await peer.call("FollowImpatiently", on: 1, flags: .remoteClosed)
            for _ in 0..<3 { #expect(try await peer.nextFrame()?.text == "idle") }
            server.service.feed.rise()
            var next = try await peer.nextFrame()
            while next?.text == "idle" { next = try await peer.nextFrame() }
            #expect(next?.number == 1)
            #expect(try await peer.nextFrame()?.text == "idle")
        }
    }

    // MARK: Credit

    // MARK: Ends

    @Test(arguments: ["Follow", "FollowImpatiently"], ["cancel", "close", "half-close", "deadline", "drain"])
    func nothingIsLeftOfAWatchThatEnded(_ method: String, by end: String) async throws {
        try await TestServer.run { server, peer in
            try await peer.sayHello()
            let feed = server.service.feed
            let timeout: Int64 = end == "deadline" ? 100_000_000 : 0
            try await peer.call(method, on: 1, flags: .remoteClosed, timeoutNanoseconds: timeout)
            // The watch may be over before somebody looks.
            if end != "deadline" { try await eventually { feed.watcherCount > 0 } }
            switch end {
            case "cancel": try await peer.send(.cancel, on: 1)
            case "close": try await peer.close()
            case "half-close": try await peer.closeOutput()
            case "deadline": break
            default: server.server.stop()
            }
            // The one ends a moment before the other, on the server's thread.
            try await eventually { feed.watcherCount == 0 && feed.listenerCount == 0 }
        }
    }
}

extension Frame {
    fileprivate var number: UInt32? { data.getInteger(at: data.readerIndex) }
    fileprivate var text: String { String(buffer: data) }
}
