import NIOCore
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// Watches: streams that have nothing to send until something happens. For their ends, see `WatchShareTests`.
@Suite(.timeLimit(.minutes(10)))
struct WatchTests {
    /// Begins twenty watches.
    private func follow(_ peer: WirePeer, _ feed: TestFeed) async throws {
        for _ in 0..<20 { try await peer.send(Call("Follow")) }
        try await eventually { feed.watcherCount == 20 }
    }

    /// Expects that each watch gets the numbers up to the last one.
    private func expectNumbers(_ peer: WirePeer, upTo last: UInt32) async throws {
        for number in 0..<20 {
            var received: [UInt32] = []
            while received.count < last, let message = try await peer.message(of: number) {
                received.append(message.getInteger(at: message.readerIndex) ?? 0)
            }
            #expect(received == Array(1...last))
        }
    }

    @Test func aWatchIsWokenOnceHoweverOftenAndFromWhereItIsWoken() async throws {
        try await Wire.framed.run { _, methods, peer in
            let feed = methods.feed
            try await follow(peer, feed)
            await withTaskGroup { group in
                for _ in 0..<10 { group.addTask { for _ in 0..<10 { feed.rise(wakeCount: 3) } } }
            }
            try await expectNumbers(peer, upTo: 100)
            #expect(feed.watcherCount == 20 && feed.listenerCount == 1)
        }
    }

    /// The runner of the connection's calls asks the method at that moment, and must not be entered a second time.
    @Test func aMethodMayWakeWatchesOfItsOwnConnection() async throws {
        try await Wire.framed.run { _, methods, peer in
            try await follow(peer, methods.feed)
            for _ in 0..<10 { #expect(try await peer.call(Call("Rise")).isEnded) }
            try await expectNumbers(peer, upTo: 10)
        }
    }
}
