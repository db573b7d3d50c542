internal import Dispatch
internal import NIOCore
internal import RPCCore

/// An event loop of a simulation: a lane of its scheduler.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedEventLoop: EventLoop, @unchecked Sendable {
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
        scheduler.enqueue(on: lane) { [self] in run(action) }
    }

    /// Runs an action on this loop at once.
    func run(_ action: () -> Void) {
        inEventLoop = true
        action()
        inEventLoop = false
    }

    func scheduleTask<T>(
        deadline: NIODeadline,
        _ task: @escaping @Sendable () throws -> T
    ) -> Scheduled<T> {
        let promise = makePromise(of: T.self)
        let timer = Timer()
        scheduler.at(deadline) { [self] in
            perform { if !timer.isCancelled { promise.assumeIsolated().completeWith(Result { try task() }) } }
        }
        return Scheduled(promise: promise) { timer.isCancelled = true }
    }

    /// `@unchecked Sendable`: a simulation has one thread.
    private final class Timer: @unchecked Sendable {
        var isCancelled = false
    }

    // MARK: Unused requirements

    func submit<T>(_ task: @escaping @Sendable () throws -> T) -> EventLoopFuture<T> {
        let promise = makePromise(of: T.self)
        perform { promise.assumeIsolated().completeWith(Result { try task() }) }
        return promise.futureResult
    }

    func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: now + delay, task)
    }

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        callback(nil)
    }
}
