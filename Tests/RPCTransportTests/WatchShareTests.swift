import Framing
import MarvelService
import NIOCore
import RPCCore
import RPCTransport
import Testing
import WireMessages

/// Connections that share the places for watches.
@Suite(.timeLimit(.minutes(1)))
struct WatchShareTests {
    private static func limits(total: Int = 100, perList: Int = 100) -> WatchLimits {
        var limits = WatchLimits()
        limits.maximumWatches = total
        limits.maximumWatchesPerList = perList
        return limits
    }

    /// Begins a watch and reads the snapshot that it begins with.
    private func watch(_ peer: RawPeer, _ number: Int, list: String = "") async throws {
        try await peer.watch(on: .number(number), WatchFavoritesRequest(list: list))
        let frame = try #require(try await peer.nextFrame())
        #expect(frame.header.type == .data && frame.header.streamID == .number(number))
    }

    /// Reads the end of a watch, which must be for want of a place.
    private func readLimit(_ peer: RawPeer, _ number: Int, maximum: Int) async throws -> RPCError {
        let frame = try #require(try await peer.nextFrame())
        #expect(frame.header.streamID == .number(number))
        let error = try #require(try frame.status)
        #expect(error.code == .resourceExhausted)
        #expect(error.reason == .watchLimit)
        #expect(error.metadata["maximum"] == "\(maximum)")
        #expect(error.retryDelay == .seconds(1))
        return error
    }

    @Test func theConnectionWithTheMostLosesItsNewestWatchToANewcomer() async throws {
        try await WatchedList.run(watchLimits: Self.limits(total: 4)) { list in
            try await list.change()
            let greedy = try await RawPeer.connect(to: list.tcp)
            let modest = try await RawPeer.connect(to: list.tcp)
            for number in 0..<4 { try await watch(greedy, number) }
            try await watch(modest, 0)
            let error = try await readLimit(greedy, 3, maximum: 4)
            #expect(error.metadata["from_revision"] == "1", "and tells where to go on")
            #expect(error.metadata["place"]?.isEmpty == false)
            #expect(list.watchCount == 4)
            #expect(list.server.count(of: .watchDisplaced) == 1)

            try await list.change()
            for _ in 0..<3 { #expect(try await greedy.nextFrame()?.header.type == .data) }
            #expect(try await modest.nextFrame()?.header.type == .data)
        }
    }

    @Test func theConnectionThatWouldHaveTheMostIsRefused() async throws {
        try await WatchedList.run(watchLimits: Self.limits(total: 4)) { list in
            let greedy = try await RawPeer.connect(to: list.tcp)
            let modest = try await RawPeer.connect(to: list.tcp)
            // Without it there is no Cancel.
            try await greedy.sayHello()
            for number in 0..<3 { try await watch(greedy, number) }
            try await watch(modest, 0)
            try await greedy.watch(on: .number(3))
            _ = try await readLimit(greedy, 3, maximum: 4)
            #expect(list.watchCount == 4)
            // Where one ended there is a place again.
            try await greedy.send([.cancel(.number(0))])
            try await eventually { list.watchCount == 3 }
            try await watch(greedy, 4)
        }
    }

    @Test func oneListCannotTakeThePlacesOfAnother() async throws {
        try await WatchedList.run(watchLimits: Self.limits(perList: 2)) { list in
            let greedy = try await RawPeer.connect(to: list.tcp)
            let modest = try await RawPeer.connect(to: list.tcp)
            for number in 0..<2 { try await watch(greedy, number) }
            try await greedy.watch(on: .number(2))
            _ = try await readLimit(greedy, 2, maximum: 2)
            try await watch(greedy, 3, list: "other")
            try await watch(modest, 0)
            _ = try await readLimit(greedy, 1, maximum: 2)
            #expect(list.watchCount == 3)
        }
    }

    /// A watch cannot keep its place by granting no credit.
    @Test func aWatchThatWaitsForCreditIsEnded() async throws {
        try await WatchedList.run(watchLimits: Self.limits(total: 2)) { list in
            let greedy = try await RawPeer.connect(to: list.tcp)
            let modest = try await RawPeer.connect(to: list.tcp)
            try await greedy.sayHello(initialCredit: 1)
            for number in 0..<2 { try await watch(greedy, number) }
            try await list.change()
            // Answered behind the change, for which the watches have no credit.
            let request = ListFavoritesRequest(list: "").encoded()
            try await greedy.call("ListFavorites", on: .number(2), payload: request, service: CharacterService.name)
            #expect(try await greedy.nextFrame()?.header.streamID == .number(2))
            try await watch(modest, 0)
            let error = try await readLimit(greedy, 1, maximum: 2)
            #expect(error.metadata["from_revision"] == "0")
            #expect(list.watchCount == 2)
        }
    }

    /// Nor by not reading.
    @Test func aWatchOfAConnectionThatDoesNotReadIsEnded() async throws {
        try await WatchedList.run(watchLimits: Self.limits(total: 2)) { list in
            let sleeper = try await RawPeer.connect(to: list.unix, reads: false)
            for number in 0..<2 { try await sleeper.watch(on: .number(number)) }
            try await eventually { list.watchCount == 2 }
            while list.server.unsentByteCount == 0 { try await list.change() }
            let modest = try await RawPeer.connect(to: list.tcp)
            try await watch(modest, 0)
            #expect(list.watchCount == 2)
            try await eventually { list.server.count(of: .watchDisplaced) == 1 }
            try await sleeper.startReading()
            var frame = try await sleeper.nextFrame()
            while frame?.header.type == .data { frame = try await sleeper.nextFrame() }
            #expect(try frame?.status?.reason == .watchLimit)
            #expect(frame?.header.streamID == .number(1))
        }
    }

    // MARK: Ends

    enum End: CaseIterable {
        case cancel, close, reset, halfClose
    }

    @Test(arguments: End.allCases)
    func aWatchThatEndsLeavesItsPlace(_ end: End) async throws {
        try await WatchedList.run { list in
            let peer = try await RawPeer.connect(to: list.tcp)
            try await peer.sayHello()
            for number in 0..<3 { try await watch(peer, number) }
            #expect(list.watchCount == 3)
            switch end {
            case .cancel: try await peer.send((0..<3).map { .cancel(.number($0)) })
            case .close: try await peer.close()
            case .reset: try await peer.reset()
            case .halfClose: try await peer.closeOutput()
            }
            try await eventually { list.watchCount == 0 }
        }
    }

    @Test func aWatchThatTheServerEndsLeavesItsPlace() async throws {
        try await WatchedList.run { list in
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

extension RPCError {
    fileprivate var metadata: [String: String] {
        for case .errorInfo(let info) in details { return info.metadata }
        return [:]
    }
}
