import MarvelClient
import Synchronization

/// What clients that toggle show to the one who watches them, and what that one shows to them.
final class CrowdSigns: Sendable {
    private struct State {
        var begunCount = 0
        var answerCount = 0
        var endedCount = 0
        var isStopping = false
    }

    /// How many clients there are.
    let size: Int
    /// What they change.
    let lists: [ListName]
    private let state = Mutex(State())

    init(size: Int, lists: [ListName]) {
        self.size = size
        self.lists = lists
    }

    /// How many have been answered once.
    var begunCount: Int { state.withLock { $0.begunCount } }
    /// The number of toggles that were answered.
    var answerCount: Int { state.withLock { $0.answerCount } }
    /// How many have stopped.
    var endedCount: Int { state.withLock { $0.endedCount } }
    var isStopping: Bool { state.withLock { $0.isStopping } }

    func begun() { state.withLock { $0.begunCount += 1 } }
    func answered() { state.withLock { $0.answerCount += 1 } }
    func ended() { state.withLock { $0.endedCount += 1 } }
    func stop() { state.withLock { $0.isStopping = true } }
}
