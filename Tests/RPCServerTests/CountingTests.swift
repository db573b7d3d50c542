import MarvelDomain
import NIOCore
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// The counts of calls that have ended, on every wire.
@Suite(.timeLimit(.minutes(10)))
struct CountingTests {
    /// Waits until so many calls of a method have ended with a status, and returns them.
    private func counts(
        of method: String?,
        _ code: StatusCode = .ok,
        on server: RPCServer,
        reach count: Int
    ) async throws -> CallCounts {
        var found = CallCounts()
        try await eventually {
            found = server.endedCalls
                .filter { $0.method == method.map { "\(TestMethods.path($0))" } && $0.code == code }
                .reduce(into: CallCounts()) { $0.add($1.counts) }
            return found.count >= count
        }
        #expect(found.count == count)
        return found
    }

    @Test(arguments: Wire.calls)
    func eachCallIsCountedOnceWithItsStatus(over wire: Wire) async throws {
        try await wire.run { server, _, peer in
            for _ in 0..<20 { _ = try await peer.call(Call("Echo")) }
            // One write, so that several are answered together.
            var bytes = ByteBuffer()
            for _ in 0..<20 { bytes.writeImmutableBuffer(try peer.encode(Call("Echo")).bytes) }
            try await peer.socket.send(bytes)
            for number in 20..<40 { #expect(try await peer.answer(to: number).isEnded) }
            for code in [StatusCode.notFound, .internalError, .notFound] {
                _ = try await peer.call(Call("Status", ByteBuffer(bytes: [UInt8(code.rawValue)])))
            }
            for _ in 0..<3 { _ = try await peer.call(.count(5)) }
            let answers = try await counts(of: "Echo", on: server, reach: 40)
            #expect(answers.durations.count == 40 && answers.durations.sum > 0)
            _ = try await counts(of: "Status", .notFound, on: server, reach: 2)
            _ = try await counts(of: "Status", .internalError, on: server, reach: 1)
            let streams = try await counts(of: "Count", on: server, reach: 3)
            #expect(streams.durations.count == 3)
        }
    }

    /// Whatever names peers call, they are one series.
    @Test(arguments: Wire.ports)
    func unknownMethodsAreCountedTogether(over wire: Wire) async throws {
        try await wire.run { server, _, peer in
            for number in 0..<100 {
                let service = number % 2 == 0 ? TestMethods.name : "x\(number)"
                _ = try await peer.first(MethodPath(service: service, method: "M\(number)"), ByteBuffer())
            }
            _ = try await counts(of: nil, .unimplemented, on: server, reach: 100)
            #expect(server.endedCalls.count == 1)
        }
    }

    /// A watch lasts as long as its caller wants, which is no latency of the server.
    @Test(arguments: Wire.ports)
    func cancelledCallsAreCountedAndAWatchHasNoDuration(over wire: Wire) async throws {
        try await wire.run { server, methods, peer in
            let call = try await peer.send(.hold)
            await methods.hasWaiting.wait()
            try await peer.cancel(call)
            _ = try await counts(of: "Hold", .cancelled, on: server, reach: 1)
            let watch = try await peer.send(Call("Follow"))
            try await eventually { methods.feed.watcherCount == 1 }
            methods.feed.rise()
            #expect(try await peer.message(of: watch) != nil)
            try await peer.cancel(watch)
            let watches = try await counts(of: "Follow", .cancelled, on: server, reach: 1)
            #expect(watches.durations.count == 0)
        }
    }

    @Test func methodsBeyondTheTableAreCountedTogether() {
        let counters = CallCounters()
        for method in [5, CallCounters.otherMethod, 40, .max] {
            counters.add(.http, method: method, .unauthenticated, nanoseconds: nil)
        }
        var calls: [CallLabels: CallCounts] = [:]
        counters.read(into: &calls)
        #expect(calls.count == 2)
        let others = CallLabels(system: .http, method: CallCounters.otherMethod, code: .unauthenticated)
        #expect(calls[others]?.count == 3)
    }
}

/// The questions of an operator to a running server.
@Suite(.timeLimit(.minutes(10)))
struct InspectionTests {
    @Test(arguments: Wire.ports, Wire.Socket.allCases)
    func aConnectionTellsItsOpenCalls(over wire: Wire, _ socket: Wire.Socket) async throws {
        try await wire.run(over: socket) { server, methods, peer in
            try await peer.send(.hold)
            await methods.hasWaiting.wait()
            let connections = await server.described(atMost: 10)
            #expect(connections.map { $0.activity?.openCalls } == [1])
            #expect(connections.first?.wire == (wire == .gRPC ? "http" : "framed"))
            #expect((connections.first?.peer?.port != nil) == (socket == .tcp))
        }
    }

    @Test func onlySoManyConnectionsAreDescribed() async throws {
        try await Wire.framed.serve { server, _ in
            for _ in 0..<5 {
                let peer = try await WirePeer.connect(.framed, to: server)
                #expect(try await peer.call(Call("Echo")).isEnded)
            }
            #expect(await server.described(atMost: 3).count == 3)
            #expect(await server.described(atMost: 9).count == 5)
        }
    }
}

extension RPCServer {
    /// The connections. An event loop that is late is asked again.
    fileprivate func described(atMost count: Int) async -> [ConnectionDescription] {
        while true {
            if let connections = await connections(atMost: count) { return connections }
        }
    }
}
