import NIOCore
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// The choice of calls that are logged.
@Suite struct AccessSamplerTests {
    private static let rules: AccessLogRules = {
        var rules = AccessLogRules()
        rules.callsPerSecond = 6
        rules.sampling = 10
        return rules
    }()

    private static func taken(_ count: Int, by sampler: AccessSampler) -> [Int] {
        (0..<count).map { _ in sampler.take() }.filter { $0 > 0 }
    }

    @Test func afterTheFirstCallsOfASecondOneOfManyIsLogged() {
        let sampler = AccessSampler(Self.rules, loops: 2)
        #expect(Self.taken(3, by: sampler) == [1, 1, 1])
        #expect(Self.taken(40, by: sampler) == [10, 10, 10, 10], "each stands for ten")
    }

    @Test func aNewSecondStartsOver() {
        let sampler = AccessSampler(Self.rules, loops: 2)
        let start = NIODeadline.uptimeNanoseconds(5_000_000_000)
        sampler.turnEnded(now: start)
        _ = Self.taken(43, by: sampler)
        sampler.turnEnded(now: start + .milliseconds(999))
        #expect(Self.taken(5, by: sampler) == [])
        sampler.turnEnded(now: start + .seconds(1))
        #expect(Self.taken(4, by: sampler) == [1, 1, 1])
    }

    @Test func withoutALogNoCallIsTaken() {
        let sampler = AccessSampler(nil, loops: 2)
        sampler.turnEnded(now: .uptimeNanoseconds(5_000_000_000))
        #expect(Self.taken(100, by: sampler) == [])
    }
}

/// The lines of failed calls of one event loop.
@Suite struct FailureSamplerTests {
    private static let start = NIODeadline.uptimeNanoseconds(5_000_000_000)

    private func sampler(_ lines: Int) -> FailureSampler {
        var rules = AccessLogRules()
        rules.failuresPerWindow = 2 * lines
        return FailureSampler(rules, loops: 2)
    }

    private func call(_ reason: ErrorReason) -> LoggedCall {
        let error = RPCError(.notFound, reason: reason, "no")
        let call = EndedCall(nil, .grpc, startedAt: Self.start, error: error)
        return LoggedCall(method: nil, call: call, duration: .zero, timeToFirstMessage: nil, peer: nil, sampled: 1)
    }

    @Test func afterTheFirstLinesOfAWindowTheOthersAreOneLine() {
        let sampler = sampler(3)
        let taken = (0..<10).map { _ in sampler.take(call(.tokenInvalid), now: Self.start) }
        #expect(taken.map(\.calls.count) == [1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
        #expect(taken.compactMap(\.next) == [Self.start + .seconds(10)], "asked for once")
        #expect(sampler.take(call(.methodUnknown), now: Self.start).calls.count == 1, "each error has its own window")
        #expect(sampler.takeRest(now: Self.start + .seconds(9)).isEmpty)
        #expect(sampler.takeRest(now: Self.start + .seconds(10)).map(\.sampled) == [7])
        #expect(sampler.takeRest(now: .distantFuture).isEmpty)
    }

    @Test func aNewWindowTellsOfTheOneBefore() {
        let sampler = sampler(1)
        for _ in 0..<5 { _ = sampler.take(call(.tokenInvalid), now: Self.start) }
        let lines = sampler.take(call(.tokenInvalid), now: Self.start + .seconds(10))
        #expect(lines.calls.map(\.sampled) == [4, 1])
        #expect(sampler.takeRest(now: .distantFuture).isEmpty)
    }
}

/// The calls that reach the log of a server.
@Suite(.timeLimit(.minutes(10)))
struct AccessLogTests {
    private static func log(callsPerSecond: Int, slowCall: Duration) -> RecordedCalls {
        var rules = AccessLogRules()
        (rules.callsPerSecond, rules.slowCall) = (callsPerSecond, slowCall)
        return RecordedCalls(rules)
    }

    @Test(arguments: Wire.ports)
    func aLineHasTheFactsOfItsCall(over wire: Wire) async throws {
        let log = Self.log(callsPerSecond: 1_000, slowCall: .seconds(100))
        try await wire.run(log: log) { _, _, peer in
            let trace = (TraceParent.key, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            _ = try await peer.call(Call("Echo", ByteBuffer(string: "12345"), [trace]))
            _ = try await peer.call(Call("Fail"))
            try await eventually { log.all.count == 2 }
            let (good, bad) = (log.all[0], log.all[1])
            #expect(good.method == "test.v1.Test/Echo")
            #expect(good.call.system == (wire == .gRPC ? .grpc : .ttrpc))
            #expect(good.call.code == .ok)
            #expect(good.call.byteCount == 5)
            #expect(good.call.trace?.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
            #expect(good.peer?.ipAddress == "127.0.0.1")
            #expect(bad.call.code == .notFound)
            #expect(bad.call.reason == .characterNotFound)
            #expect(bad.call.trace == nil)
        }
    }

    @Test func aSlowCallIsLoggedHoweverManyOthersAre() async throws {
        let log = Self.log(callsPerSecond: 1, slowCall: .nanoseconds(1))
        try await Wire.framed.run(log: log) { _, methods, peer in
            methods.holdsMayEnd()
            for _ in 0..<20 { _ = try await peer.call(.hold) }
            try await eventually { log.all.count == 20 }
            #expect(log.all.allSatisfy { $0.sampled == 1 && $0.duration > .zero })
        }
    }

    @Test func aTurnThatBeganLateFillsNoLog() async throws {
        var rules = AccessLogRules.rare
        rules.slowCall = .nanoseconds(1)
        let log = RecordedCalls(rules)
        try await Wire.framed.run(log: log) { _, _, peer in
            // One write, so that one turn answers all or most of them.
            var bytes = ByteBuffer()
            for _ in 0..<100 { bytes.writeImmutableBuffer(try peer.encode(Call("Echo")).bytes) }
            try await peer.socket.send(bytes)
            for number in 0..<100 { _ = try await peer.answer(to: number) }
        }
        #expect((16..<60).contains(log.all.count), "\(log.all.count) lines")
    }
}
