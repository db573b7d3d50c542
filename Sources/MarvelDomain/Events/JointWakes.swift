internal import Synchronization

/// Something that is woken after another thread has given it work.
package protocol Wakeable: AnyObject, Sendable {
    func wake()
}

/// The wakes by a thread that hands out many answers, put off until it is done. Whoever is woken usually finds all of its
/// answers, and is the last to release them. Otherwise the first answers of a commit leave with writes of their own, and
/// two threads contend for the allocator's lock.
package final class JointWakes: Sendable {
    @TaskLocal private static var current: JointWakes?

    /// Nil after the end of the work: a task that it has started still has this object.
    private let waiting = Mutex<[any Wakeable]?>([])

    private init() {}

    /// Puts off the wakes of the work until its end.
    package static func collect<Result>(_ work: () throws -> Result) rethrows -> Result {
        let wakes = JointWakes()
        defer { for sleeper in wakes.waiting.withLock({ $0.take() }) ?? [] { sleeper.wake() } }
        return try $current.withValue(wakes, operation: work)
    }

    /// Wakes now, or at the end of the work that the caller is part of.
    package static func wake(_ sleeper: some Wakeable) {
        if current?.puts(off: sleeper) != true { sleeper.wake() }
    }

    private func puts(off sleeper: some Wakeable) -> Bool {
        waiting.withLock { waiting in
            waiting?.append(sleeper)
            return waiting != nil
        }
    }
}
