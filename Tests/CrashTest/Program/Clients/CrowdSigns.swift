import MarvelClient
import Synchronization

/// The signs between clients that toggle and the run that watches them.
final class CrowdSigns: Sendable {
    private struct State {
        var begunCount = 0
        var answerCount = 0
        var endedCount = 0
        var isStopping = false
    }

    /// The number of clients.
    let size: Int
    /// The lists that they change.
    let lists: [ListName]
    private let state = Mutex(State())

    init(size: Int, lists: [ListName]) {
        self.size = size
        self.lists = lists
    }

    /// The number of clients that have been answered once.
    var begunCount: Int { state.withLock { $0.begunCount } }
    /// The number of toggles that were answered.
    var answerCount: Int { state.withLock { $0.answerCount } }
    /// The number of clients that have stopped.
    var endedCount: Int { state.withLock { $0.endedCount } }
    var isStopping: Bool { state.withLock { $0.isStopping } }

    func begun() { state.withLock { $0.begunCount += 1 } }
    func answered() { state.withLock { $0.answerCount += 1 } }
    func ended() { state.withLock { $0.endedCount += 1 } }
    func stop() { state.withLock { $0.isStopping = true } }
}
