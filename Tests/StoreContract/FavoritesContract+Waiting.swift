internal import Dispatch
internal import MarvelDomain
internal import Synchronization

/// Calls that nobody waits for any more when the store would begin them.
extension FavoritesContract {
    static let waiting = [
        FavoritesContract("a call cancelled or expired while it waits never starts") { stage in
            let store = try await stage.make()
            try await store.answer(1)
            let held = await HeldAnswer(of: store, on: try ListName(valid: "held"))
            // A store that answers within the call has none that wait.
            guard !held.answersWithinCall(of: store) else { return held.release() }
            let deadline = ContinuousClock.now + .milliseconds(20)
            let late = Task.immediate {
                let toggle = Toggle(list: .default, characterID: 2, request: RequestKey(RequestID("late")))
                return try await store.toggle(toggle, character: character(2), deadline: deadline)
            }
            let cancelled = Task.immediate { try await store.answer(3, request: "cancelled") }
            let lateDeletion = Task.immediate { try await store.delete(.default, request: nil, deadline: deadline) }
            let cancelledDeletion = Task.immediate { try await store.delete(.default) }
            let wanted = Task.immediate { try await store.answer(4) }
            cancelled.cancel()
            cancelledDeletion.cancel()
            try await ContinuousClock().sleep(until: deadline)
            held.release()
            try await expect(.deadlineExceeded, "a toggle that is too late") { try await late.value }
            try await expect(.cancelled, "a toggle that was cancelled") { try await cancelled.value }
            try await expect(.deadlineExceeded, "a deletion that is too late") { try await lateDeletion.value }
            try await expect(.cancelled, "a deletion that was cancelled") { try await cancelledDeletion.value }
            try expect(try await wanted.value.revision, 2, "the next toggle")
            try expect(try await store.ids(), [1, 4])
            try expect(try await store.answer(2, request: "late").revision, 3, "a request that did not start")
            try expect(try await store.answer(3, request: "cancelled").revision, 4, "a request that did not start")
        },
        FavoritesContract("an expired call, or a deletion of a cancelled task, does not start") {
            stage in
            let store = try await stage.make()
            try await store.answer(1)
            let past = ContinuousClock.now - .milliseconds(1)
            try await expect(.deadlineExceeded, "a toggle") {
                try await store.toggle(Toggle(list: .default, characterID: 2), character: character(2), deadline: past)
            }
            try await expect(.deadlineExceeded, "a deletion") {
                try await store.delete(.default, request: nil, deadline: past)
            }
            let cancelled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await store.delete(.default)
            }
            try await expect(.cancelled, "a deletion of a cancelled task") { try await cancelled.value }
            try expect(try await store.ids(), [1])
            try expect(try await store.allChanges().count, 1, "changes")
        },
    ]
}

/// The answer to a toggle, held up by its caller. Other toggles wait for it in a store that answers them one after the other.
private final class HeldAnswer: Sendable {
    private let gate = DispatchSemaphore(value: 0)

    /// Toggles, and waits until the answer is held up.
    init(of store: any FavoritesStore, on list: ListName) async {
        await withCheckedContinuation { continuation in
            // The answer may come on the thread of the call.
            DispatchQueue.global().async { [gate] in
                _ = store.toggle(Toggle(list: list, characterID: 1), character: character(1), deadline: nil) { _ in
                    continuation.resume()
                    gate.wait()
                }
            }
        }
    }

    func release() { gate.signal() }

    /// Returns whether the store answers a toggle, which changes nothing, before the call of it returns.
    func answersWithinCall(of store: any FavoritesStore) -> Bool {
        let hasAnswered = Mutex(false)
        let toggle = Toggle(list: .default, characterID: 99, desired: .removed)
        _ = store.toggle(toggle, character: nil, deadline: nil) { _ in hasAnswered.withLock { $0 = true } }
        return hasAnswered.withLock(\.self)
    }
}
