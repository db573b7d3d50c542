package import NIOCore

/// The clocks and the tasks of a process, for code that serves calls. A simulator replaces them.
package struct ProcessRuntime: Sendable {
    package typealias Work = @Sendable () async -> Void

    package let now: @Sendable () -> NIODeadline
    package let instant: @Sendable () -> ContinuousClock.Instant
    /// May return early in a cancelled task.
    package let sleep: @Sendable (Duration) async -> Void
    private let begin: @Sendable (@escaping Work) -> StartedTask

    /// `begin` starts a task. Its work begins after the function has returned, or on another thread.
    package init(
        now: @escaping @Sendable () -> NIODeadline,
        instant: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
        begin: @escaping @Sendable (@escaping Work) -> StartedTask
    ) {
        self.now = now
        self.instant = instant
        self.sleep = sleep
        self.begin = begin
    }

    /// Its tasks inherit the task-local values of their starter.
    package static let system = ProcessRuntime(
        now: { .now() },
        instant: { .now },
        begin: { work in
            let task = Task { await work() }
            return StartedTask { task.cancel() }
        }
    )

    @discardableResult
    package func start(_ work: @escaping Work) -> StartedTask { begin(work) }

    package var timeLeft: Duration? { CallDeadline.current.map { Duration($0 - now()) } }

    package func storeDeadline(of deadline: NIODeadline?) -> ContinuousClock.Instant? {
        deadline.map { instant() + Duration($0 - now()) }
    }
}

package struct StartedTask: Sendable {
    private let onCancel: @Sendable () -> Void

    package init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    package func cancel() { onCancel() }
}
