package import NIOCore

/// The clocks and the tasks of a process, for code that serves calls. A simulator replaces them.
package struct ProcessRuntime: Sendable {
    package typealias Work = @Sendable () async -> Void

    /// Returns the time on the clock of calls' deadlines.
    package let now: @Sendable () -> NIODeadline
    /// Returns the time on the clock of stores.
    package let instant: @Sendable () -> ContinuousClock.Instant
    /// Waits. It may return earlier in a task that is cancelled.
    package let sleep: @Sendable (Duration) async -> Void
    private let begin: @Sendable (@escaping Work) -> StartedTask

    /// - Parameters:
    ///   - now: Returns the time on the clock of calls' deadlines.
    ///   - instant: Returns the time on the clock of stores.
    ///   - sleep: Waits. It may return earlier in a task that is cancelled.
    ///   - begin: Starts a task. The work begins after the function has returned, or on another thread.
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

    /// The clocks of the system, and tasks that inherit the task-local values of their starter.
    package static let system = ProcessRuntime(
        now: { .now() },
        instant: { .now },
        begin: { work in
            let task = Task { await work() }
            return StartedTask { task.cancel() }
        }
    )

    /// Starts a task that nobody has to wait for.
    @discardableResult
    package func start(_ work: @escaping Work) -> StartedTask { begin(work) }

    /// The time that the current call has left; nil if it has no deadline.
    package var timeLeft: Duration? { CallDeadline.current.map { Duration($0 - now()) } }

    /// Returns a call's deadline on the clock of stores; nil if it has none.
    package func storeDeadline(of deadline: NIODeadline?) -> ContinuousClock.Instant? {
        deadline.map { instant() + Duration($0 - now()) }
    }
}

/// The handle of a task that was started.
package struct StartedTask: Sendable {
    private let onCancel: @Sendable () -> Void

    package init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    package func cancel() { onCancel() }
}
