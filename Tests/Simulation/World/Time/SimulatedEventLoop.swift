internal import Dispatch
internal import NIOCore
internal import RPCCore

/// An event loop of a simulation: a lane of its scheduler. Tasks that prefer it run there too.
///
/// Only what serving a call needs is there: no channel can be made on it.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedEventLoop: EventLoop, TaskExecutor, @unchecked Sendable {
    private let scheduler: SeededScheduler
    private let lane: Int
    private(set) var inEventLoop = false

    init(on scheduler: SeededScheduler) {
        self.scheduler = scheduler
        lane = scheduler.addLane()
    }

    var now: NIODeadline { scheduler.now }

    func execute(_ task: @escaping @Sendable () -> Void) { perform(task) }

    /// Runs an action on this loop, after those that wait for it.
    func perform(_ action: @escaping () -> Void) {
        scheduler.enqueue(on: lane) { [self] in
            inEventLoop = true
            action()
            inEventLoop = false
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        perform { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Starts a task that runs on this loop while it does not wait for others.
    func start(_ work: @escaping @Sendable () async -> Void) -> StartedTask {
        let task = Task(executorPreference: self) { await work() }
        return StartedTask { task.cancel() }
    }

    // MARK: What nothing here needs

    func submit<T>(_ task: @escaping @Sendable () throws -> T) -> EventLoopFuture<T> {
        let promise = makePromise(of: T.self)
        perform { promise.assumeIsolated().completeWith(Result { try task() }) }
        return promise.futureResult
    }

    func scheduleTask<T>(
        deadline: NIODeadline,
        _ task: @escaping @Sendable () throws -> T
    ) -> Scheduled<T> {
        let promise = makePromise(of: T.self)
        scheduler.at(deadline) { [self] in
            perform { promise.assumeIsolated().completeWith(Result { try task() }) }
        }
        return Scheduled(promise: promise, cancellationTask: {})
    }

    func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: now + delay, task)
    }

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        callback(nil)
    }
}
