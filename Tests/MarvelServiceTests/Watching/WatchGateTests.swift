import RPCCore
import Testing

@testable import MarvelService

@Suite struct WatchGateTests {
    private func limit(_ gate: WatchGate, _ caller: CallerID) -> RPCError? {
        do throws(RPCError) {
            _ = try gate.enter(caller)
            return nil
        } catch {
            return error
        }
    }

    @Test func theTotalIsLimited() throws {
        var limits = WatchLimits()
        limits.maximumWatches = 2
        let gate = WatchGate(limits)
        let caller = CallerID.next()
        let kept = try gate.enter(caller)
        do {
            let second = try gate.enter(.next())
            #expect(limit(gate, .next())?.reason == .watchLimit)
            #expect(limit(gate, caller)?.code == .resourceExhausted)
            withExtendedLifetime(second) {}
        }
        #expect(gate.count == 1)
        #expect(limit(gate, .next()) == nil, "one watch ended")
        withExtendedLifetime(kept) {}
    }

    @Test func aRemoteCallerHasItsOwnLimit() throws {
        var limits = WatchLimits()
        limits.maximumWatchesPerCaller = CallerShares(named: 3, anonymous: 1)
        let gate = WatchGate(limits)
        let callers = [CallerID.next(.named), .next(.anonymous), .next(.local)]
        var watches: [AdmittedWatch] = []
        var counts = [0, 0, 0]
        for _ in 0..<5 {
            for (number, caller) in callers.enumerated() {
                guard let watch = try? gate.enter(caller) else { continue }
                watches.append(watch)
                counts[number] += 1
            }
        }
        #expect(counts == [3, 1, 5])
        #expect(gate.count == 9)
        watches = []
        #expect(gate.count == 0)
        #expect(limit(gate, callers[1]) == nil)
    }

    @Test func localCallersLeaveAnEighthToOthers() throws {
        var limits = WatchLimits()
        limits.maximumWatches = 16
        let gate = WatchGate(limits)
        let watches = (0..<20).compactMap { _ in try? gate.enter(.next(.local)) }
        #expect(watches.count == 14)
        let others = (0..<20).compactMap { _ in try? gate.enter(.next(.named)) }
        #expect(others.count == 2)
        #expect(limit(gate, .next(.local))?.reason == .watchLimit)
    }
}
