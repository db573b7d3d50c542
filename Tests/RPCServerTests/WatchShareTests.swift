import Framing
import MarvelService
import NIOCore
import RPCCore
import RPCServer
import Testing
import WireClients
import WireMessages

/// The limit of watches, and the ends of watches.
@Suite(.timeLimit(.minutes(10)))
struct WatchShareTests {
    /// Begins a watch and reads the snapshot that it begins with.
    private func watch(_ peer: RawPeer, _ number: Int, list: String = "") async throws {
        try await peer.watch(on: .number(number), WatchFavoritesRequest(list: list))
        let frame = try #require(try await peer.nextFrame())
        #expect(frame.header.type == .data && frame.header.streamID == .number(number))
    }

    @Test func aWatchAboveTheLimitIsRefused() async throws {
        var limits = WatchLimits()
        limits.maximumWatches = 3
        try await ServedList.run(watchLimits: limits) { list in
            let first = try await RawPeer.connect(to: list.tcp)
            let second = try await RawPeer.connect(to: list.tcp)
            // Without it there is no Cancel.
            try await first.sayHello()
            for number in 0..<3 { try await watch(first, number) }
            try await second.watch(on: .number(0))
            let error = try #require(try await second.nextStatus())
            #expect((error.code, error.reason) == (.resourceExhausted, .watchLimit))
            #expect(error.retryDelay == .seconds(1))
            #expect(list.watchCount == 3)
            // Where one ended there is a place again.
            try await first.send(.cancel, on: .number(0))
            try await eventually { list.watchCount == 2 }
            try await watch(second, 1)
        }
    }

    // MARK: Ends

    enum End: CaseIterable {
        case cancel, close, reset, halfClose
    }

    @Test(arguments: End.allCases)
    func aWatchThatEndsLeavesItsPlace(_ end: End) async throws {
        try await ServedList.run { list in
            let peer = try await RawPeer.connect(to: list.tcp)
            try await peer.sayHello()
            for number in 0..<3 { try await watch(peer, number) }
            #expect(list.watchCount == 3)
            switch end {
            case .cancel: for number in 0..<3 { try await peer.send(.cancel, on: .number(number)) }
            case .close: try await peer.close()
            case .reset: try await peer.reset()
            case .halfClose: try await peer.closeOutput()
            }
            try await eventually { list.watchCount == 0 }
        }
    }

    @Test func aWatchThatTheServerEndsLeavesItsPlace() async throws {
        try await ServedList.run { list in
            let peer = try await RawPeer.connect(to: list.tcp)
            try await peer.watch(on: 1, WatchFavoritesRequest(fromRevision: 5))
            #expect(try await peer.nextStatus()?.reason == .revisionAhead)
            try await peer.watch(on: 3, WatchFavoritesRequest(place: "none"))
            #expect(try await peer.nextStatus()?.reason == .placeInvalid)
            // Called as unary, it ends with its first message.
            try await peer.watch(on: 5, flags: [])
            #expect(try await peer.nextStatus() == nil)
            try await eventually { list.watchCount == 0 }
            try await watch(peer, 3)
            list.server.stop()
            #expect(try await peer.nextStatus()?.reason == .draining)
            try await eventually { list.watchCount == 0 }
        }
    }
}
