import NIOCore
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// Watches: streams that have nothing to send until something happens.
@Suite(.timeLimit(.minutes(10)))
struct WatchTests {
    /// Begins some watches.
    private func follow(_ peer: WirePeer, _ feed: TestFeed, count: Int = 20) async throws {
        for _ in 0..<count { try await peer.send(Call("Follow")) }
        try await eventually { feed.watcherCount == count }
    }

    /// Waits for the next number of a watch; nil at its end.
    private func nextNumber(_ peer: WirePeer, of watch: Int = 0) async throws -> Int64? {
        try await peer.message(of: watch).flatMap { $0.getInteger(at: $0.readerIndex) }
    }

    /// Expects that each of the twenty watches gets the numbers up to the last one.
    private func expectNumbers(_ peer: WirePeer, upTo last: Int64) async throws {
        for watch in 0..<20 {
            for number in 1...last { #expect(try await nextNumber(peer, of: watch) == number) }
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

    /// Watchers that do not read cost no more than their limit of unsent bytes, delay nobody, and are told that they missed
    /// something.
    @Test(arguments: Wire.ports) func slowWatchersMissNumbersAndOthersGetAll(over wire: Wire) async throws {
        let sleeperCount = 10
        try await wire.run({ $0.writeTimeout = .seconds(3_600) }) { server, methods, reader in
            var sleepers: [WirePeer] = []
            for _ in 0..<sleeperCount {
                let sleeper = try await WirePeer.connect(wire, to: server, readingOnly: 4_096)
                try await sleeper.send(Call("Follow"))
                sleepers.append(sleeper)
            }
            try await reader.send(Call("Follow"))
            try await eventually { methods.feed.watcherCount == sleeperCount + 1 }

            // Until nothing more was made for anybody who sleeps, for longer than numbers are kept. Each has come to the reader
            // before the next: how fast the machine is decides nothing.
            let full = sleeperCount * PeerLimits().maximumUnsentBytes
            var (last, highest, missed): (Int64, Int, Int64) = (0, 0, 0)
            while missed <= TestFeed.capacity {
                methods.feed.rise()
                last += 1
                #expect(try await nextNumber(reader) == last)
                let byteCount = server.unsentByteCount
                missed = byteCount > highest || highest < full ? 0 : missed + 1
                highest = max(highest, byteCount)
            }
            #expect(highest <= sleeperCount * 5 * PeerLimits().maximumUnsentBytes, "\(highest)")

            for sleeper in sleepers {
                try await sleeper.socket.startReading()
                var numbers: [Int64] = []
                while numbers.last != last, let number = try await nextNumber(sleeper) { numbers.append(number) }
                let gaps = zip(numbers, numbers.dropFirst()).filter { $1 != $0 + 1 }
                #expect(numbers.first == 1 && numbers.last == last)
                #expect(!gaps.isEmpty, "in place of what was missed")
                try await sleeper.socket.close()
            }
        }
    }

    enum End: CaseIterable {
        case cancel, close, reset, halfClose, stop
    }

    @Test(arguments: Wire.ports, End.allCases)
    func aWatchThatEndsLeavesNothing(over wire: Wire, _ end: End) async throws {
        try await wire.run { server, methods, peer in
            try await follow(peer, methods.feed, count: 3)
            switch end {
            case .cancel: for number in 0..<3 { try await peer.cancel(number) }
            case .close: try await peer.socket.close()
            case .reset: try await peer.socket.reset()
            case .halfClose: try await peer.socket.closeOutput()
            case .stop: server.stop()
            }
            try await eventually { methods.feed.watcherCount == 0 && methods.feed.listenerCount == 0 }
        }
    }
}
