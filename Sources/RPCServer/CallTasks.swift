internal import NIOCore
internal import RPCCore
internal import Synchronization

/// The running work of one connection's calls. Tasks run on the connection's event loop while they do not wait for others.
///
/// It must be used on that event loop only.
final class CallTasks {
    typealias Finished = @Sendable (Result<Step, RPCError>) -> Void

    private let executor: EventLoopExecutor
    private let counters: EventCounters
    private let arrivals: StepArrivals
    private var running: [StreamID: Cancellation] = [:]

    /// The function that cancels a call's work.
    private struct Cancellation {
        let cancel: @Sendable () -> Void
    }

    init(on eventLoop: any EventLoop, counters: EventCounters) {
        self.executor = EventLoopExecutor(eventLoop)
        self.counters = counters
        self.arrivals = StepArrivals(on: eventLoop)
    }

    /// Starts a call's work.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - finished: The function that gets its result, on the event loop, after this has returned. It calls `ended` first.
    func start(_ work: CallWork, finished: @escaping Finished) {
        counters.taskStarted()
        switch work.kind {
        case .task(let run):
            let task = CallDeadline.$current.withValue(work.deadline) {
                CallerID.$current.withValue(work.caller) { start(run, work.trace, finished) }
            }
            running[work.id] = Cancellation { task.cancel() }
        case .pending(let step):
            let arrival = StepArrivals.Arrival(of: step, in: arrivals, finished)
            running[work.id] = Cancellation(cancel: step.begin { arrival.arrived() })
        }
    }

    private func start(
        _ run: @escaping @Sendable () async throws(RPCError) -> Step,
        _ trace: TraceParent?,
        _ finished: @escaping Finished
    ) -> Task<Void, Never> {
        guard let trace else { return start(run, finished) }
        return TraceParent.$current.withValue(trace) { start(run, finished) }
    }

    private func start(
        _ run: @escaping @Sendable () async throws(RPCError) -> Step,
        _ finished: @escaping Finished
    ) -> Task<Void, Never> {
        Task(executorPreference: executor) {
            let result: Result<Step, RPCError>
            do throws(RPCError) {
                result = .success(try await run())
            } catch {
                result = .failure(error)
            }
            finished(result)
        }
    }

    /// Cancels a call's work. It still reports its result.
    func cancel(_ id: StreamID) { running[id]?.cancel() }

    /// Notes that a call's work has reported its result.
    func ended(_ id: StreamID) {
        counters.taskEnded()
        running[id] = nil
    }
}

/// The pending steps of a connection that have arrived from other threads. Those that arrive together, as those of one
/// commit, reach the event loop with one of its tasks.
private final class StepArrivals: Sendable {
    /// A step that was begun. It is an object, so that its place in the queue is one reference.
    final class Arrival: Sendable {
        fileprivate let step: any PendingStep
        fileprivate let finished: CallTasks.Finished
        private let arrivals: StepArrivals

        init(of step: any PendingStep, in arrivals: StepArrivals, _ finished: @escaping CallTasks.Finished) {
            self.step = step
            self.arrivals = arrivals
            self.finished = finished
        }

        func arrived() { arrivals.add(self) }
    }

    private let eventLoop: any EventLoop
    private let waiting = Mutex<[Arrival]>([])

    init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    private func add(_ arrival: Arrival) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(arrival)
            return waiting.count == 1
        }
        if isFirst { eventLoop.execute { [self] in deliver() } }
    }

    private func deliver() {
        let arrived = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for arrival in arrived {
            arrival.finished(Result { () throws(RPCError) in try arrival.step.step() })
        }
    }
}
