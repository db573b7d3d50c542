internal import Synchronization

/// What waits for peers that do not read, over all connections of a server.
///
/// Only a connection that cannot write, or no longer, changes it: one whose peer reads never does.
final class UnsentBytes: Sendable {
    private let maximum: Int
    private let total = Atomic(0)

    /// - Parameter maximum: From here on new calls are refused.
    init(maximum: Int) { self.maximum = maximum }

    var count: Int { total.load(ordering: .relaxed) }

    var isOverLimit: Bool { count >= maximum }

    /// - Parameters:
    ///   - old: What the connection said before; 0 at first.
    ///   - new: What waits on it now; 0 when it can write again, or is closed.
    func changed(from old: Int, to new: Int) {
        total.wrappingAdd(new - old, ordering: .relaxed)
    }
}
