internal import Synchronization

/// Owns tasks: at most one by each name, and none once it is let go of.
final class TaskKeeper<Name: Hashable & Sendable>: Sendable {
    private struct Kept {
        var number: Int
        var task: Task<Void, Never>
    }

    private struct State {
        var lastNumber = 0
        var kept: [Name: Kept] = [:]
    }

    private let state = Mutex(State())

    deinit { cancelAll() }

    var count: Int { state.withLock(\.kept.count) }

    /// Runs `work` in place of what runs by that name.
    func run(_ name: Name, _ work: @escaping @Sendable () async -> Void) {
        let before = state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task { [weak self] in
                await work()
                self?.ended(name, number)
            }
            return state.kept.updateValue(Kept(number: number, task: task), forKey: name)
        }
        before?.task.cancel()
    }

    func cancel(_ name: Name) {
        state.withLock { $0.kept.removeValue(forKey: name) }?.task.cancel()
    }

    func cancelAll() { cancel { _ in true } }

    func cancel(where isUnwanted: (Name) -> Bool) {
        let unwanted = state.withLock { state in
            let unwanted = state.kept.filter { isUnwanted($0.key) }
            for name in unwanted.keys { state.kept[name] = nil }
            return unwanted.values.map(\.task)
        }
        for task in unwanted { task.cancel() }
    }

    /// Returns when nothing is under way: what is begun meanwhile has ended too.
    func waitForAll() async {
        while true {
            let tasks = state.withLock { $0.kept.values.map(\.task) }
            guard !tasks.isEmpty else { return }
            for task in tasks { await task.value }
        }
    }

    private func ended(_ name: Name, _ number: Int) {
        state.withLock { state in
            if state.kept[name]?.number == number { state.kept[name] = nil }
        }
    }
}
