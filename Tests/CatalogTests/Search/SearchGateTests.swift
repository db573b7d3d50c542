import RPCCore
import Testing

@testable import Catalog

@Suite struct SearchGateTests {
    /// Waits until so many wait at the gate.
    private func waitFor(_ count: Int, at gate: SearchGate) async {
        while gate.waitingCount != count { await Task.yield() }
    }

    @Test func theGateIsFreeAfterAFailure() async throws {
        let gate = SearchGate(running: 1, waiting: 0)
        await #expect(throws: CatalogError.cancelled) {
            try await gate.run { () throws(CatalogError) in throw .cancelled }
        }
        let found = try await gate.run { () throws(CatalogError) in 1 }
        #expect(found == 1)
    }

    /// A caller that fills the queue loses its last search to one that has none there.
    @Test func aCallerThatFillsTheQueueLosesItsLastSearch() async throws {
        let gate = SearchGate(running: 1, waiting: 2)
        let (greedy, modest) = (CallerID.next(), CallerID.next())
        try await gate.enter(greedy)
        let waiting = Task { try await gate.enter(greedy) }
        await waitFor(1, at: gate)
        let displaced = Task { try await gate.enter(greedy) }
        await waitFor(2, at: gate)
        let admitted = Task { try await gate.enter(modest) }
        await #expect(throws: CatalogError.overloaded(maximumSearches: 2)) { try await displaced.value }
        #expect(gate.waitingCount == 2)
        gate.leave(greedy)
        try await waiting.value
        gate.leave(greedy)
        try await admitted.value
    }

    @Test func eachCallerHasAShare() async throws {
        let gate = SearchGate(running: 2, waiting: 10, shares: CallerShares(named: 0, anonymous: 1))
        let (anonymous, named) = (CallerID.next(.anonymous), CallerID.next(.named))
        try await gate.enter(anonymous)
        await #expect(throws: CatalogError.shareSpent(maximumSearches: 1)) { try await gate.enter(anonymous) }
        try await gate.enter(named)
        let waiting = Task { try await gate.enter(named) }
        await waitFor(1, at: gate)
        gate.leave(anonymous)
        try await waiting.value
        let next = Task { try await gate.enter(anonymous) }
        await waitFor(1, at: gate)
        gate.leave(named)
        try await next.value
    }

    @Test func aCancelledCallerStopsWaiting() async throws {
        let gate = SearchGate(running: 1, waiting: 5)
        try await gate.enter()
        let cancelled = Task { try await gate.enter() }
        await waitFor(1, at: gate)
        let patient = Task { try await gate.enter() }
        await waitFor(2, at: gate)
        cancelled.cancel()
        await #expect(throws: CatalogError.cancelled) { try await cancelled.value }
        gate.leave()
        try await patient.value
    }

    @Test func aCancelledCallerDoesNotWait() async throws {
        let gate = SearchGate(running: 1, waiting: 5)
        try await gate.enter()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await gate.enter()
        }
        await #expect(throws: CatalogError.cancelled) { try await task.value }
        #expect(gate.waitingCount == 0)
    }
}
