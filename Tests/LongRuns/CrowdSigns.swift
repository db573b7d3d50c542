package import MarvelClient
internal import Synchronization

/// The signs between clients that toggle and the run that watches them.
package final class CrowdSigns: Sendable {
    private struct State {
        var begunCount = 0
        var answerCount = 0
        var endedCount = 0
        var isStopping = false
    }

    /// The number of clients.
    package let size: Int
    /// The lists that they change.
    package let lists: [ListName]
    private let state = Mutex(State())

    package init(size: Int, lists: [ListName]) {
        self.size = size
        self.lists = lists
    }

    /// The number of clients that have been answered once.
    package var begunCount: Int { state.withLock { $0.begunCount } }
    /// The number of toggles that were answered.
    package var answerCount: Int { state.withLock { $0.answerCount } }
    /// The number of clients that have stopped.
    package var endedCount: Int { state.withLock { $0.endedCount } }
    package var isStopping: Bool { state.withLock { $0.isStopping } }

    package func begun() { state.withLock { $0.begunCount += 1 } }
    package func answered() { state.withLock { $0.answerCount += 1 } }
    package func ended() { state.withLock { $0.endedCount += 1 } }
    package func stop() { state.withLock { $0.isStopping = true } }
}
