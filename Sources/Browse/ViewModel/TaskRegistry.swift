internal import Synchronization

/// A registry of running tasks, at most one for each name. It cancels all tasks when it is deallocated.
final class TaskRegistry<Name: Hashable & Sendable>: Sendable {
    private struct Entry {
        var number: Int
        var task: Task<Void, Never>
    }

    private struct State {
        var lastNumber = 0
        var entries: [Name: Entry] = [:]
    }

    private let state = Mutex(State())

    deinit { cancelAll() }

    var count: Int { state.withLock(\.entries.count) }

    /// Runs `work`, and cancels a running task of the same name.
    func run(_ name: Name, _ work: @escaping @Sendable () async -> Void) {
        let before = state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task { [weak self] in
                await work()
                self?.ended(name, number)
            }
            return state.entries.updateValue(Entry(number: number, task: task), forKey: name)
        }
        before?.task.cancel()
    }

    func cancel(_ name: Name) {
        state.withLock { $0.entries.removeValue(forKey: name) }?.task.cancel()
    }

    func cancelAll() { cancel { _ in true } }

    func cancel(where isUnwanted: (Name) -> Bool) {
        let unwanted = state.withLock { state in
            let unwanted = state.entries.filter { isUnwanted($0.key) }
            for name in unwanted.keys { state.entries[name] = nil }
            return unwanted.values.map(\.task)
        }
        for task in unwanted { task.cancel() }
    }

    /// Waits until no task is running, including tasks that are started meanwhile.
    func waitForAll() async {
        while true {
            let tasks = state.withLock { $0.entries.values.map(\.task) }
            guard !tasks.isEmpty else { return }
            for task in tasks { await task.value }
        }
    }

    private func ended(_ name: Name, _ number: Int) {
        state.withLock { state in
            if state.entries[name]?.number == number { state.entries[name] = nil }
        }
    }
}
