import MarvelDomain
import RPCCore
import Synchronization
import Testing

@testable import MarvelService

/// Reads that callers share, of a store that ends a read whose task is cancelled.
@Suite(.timeLimit(.minutes(10)))
final class SharedCallsTests: Sendable {
    private let loads = SharedCalls<String, Int, StoreError>(
        maximumCount: 2,
        overloaded: .overloaded,
        cancelled: .cancelled,
        .system
    )
    private let gate = Gate()
    private let readCount = Mutex(0)

    private func value(_ key: String, _ failure: StoreError?) async throws -> Int {
        try await loads.value(for: key) { [self] _ async throws(StoreError) in
            readCount.withLock { $0 += 1 }
            try await gate.passUnlessCancelled()
            if let failure { throw failure }
            return key.count
        }
    }

    private func read(_ key: String, failingWith failure: StoreError? = nil) -> Task<Int, any Error> {
        Task { [self] in try await value(key, failure) }
    }

    private func untilWaiting(_ count: Int) async {
        while loads.waitingCount != count { await Task.yield() }
    }

    private func untilReading(_ count: Int) async {
        while loads.count != count { await Task.yield() }
    }

    @Test func aReadOutlivesItsFirstCaller() async throws {
        let first = read("list")
        await untilWaiting(1)
        let second = read("list")
        await untilWaiting(2)
        first.cancel()
        await #expect(throws: StoreError.cancelled) { try await first.value }
        gate.open()
        #expect(try await second.value == 4)
        #expect(readCount.withLock { $0 } == 1)
        #expect(loads.count == 0)
    }

    @Test func aReadIsCancelledWithItsLastCaller() async throws {
        let callers = [read("list"), read("list")]
        await untilWaiting(2)
        await gate.untilWaiting(1)
        for caller in callers { caller.cancel() }
        for caller in callers { await #expect(throws: StoreError.cancelled) { try await caller.value } }
        await untilReading(0)
        await gate.untilWaiting(0)
    }

    @Test func aCancelledCallerReadsNothing() async throws {
        let caller = Task { [self] in
            while !Task.isCancelled { await Task.yield() }
            return try await value("list", nil)
        }
        caller.cancel()
        await #expect(throws: StoreError.cancelled) { try await caller.value }
        await untilReading(0)
        #expect(readCount.withLock { $0 } == 0)
    }

    @Test func allCallersGetTheFailure() async throws {
        let callers = (0..<50).map { _ in read("list", failingWith: .notReadable("x")) }
        await untilWaiting(50)
        gate.open()
        for caller in callers { await #expect(throws: StoreError.notReadable("x")) { try await caller.value } }
        #expect(readCount.withLock { $0 } == 1)
    }

    /// A store that does not end cancelled reads cannot be made to do more of them at once than the maximum.
    @Test func aCancelledReadCountsUntilItHasEnded() async throws {
        let slow = Gate()
        for key in ["a", "a"] {
            let caller = Task { [loads] in
                try await loads.value(for: key) { _ async throws(StoreError) in
                    await slow.pass()
                    return 1
                }
            }
            await untilWaiting(1)
            caller.cancel()
            await #expect(throws: StoreError.cancelled) { try await caller.value }
        }
        await slow.untilWaiting(2)
        #expect(loads.count == 2)
        await #expect(throws: StoreError.overloaded) { try await read("b").value }
        slow.open()
        await untilReading(0)
        gate.open()
        #expect(try await read("a").value == 1)
    }
}
