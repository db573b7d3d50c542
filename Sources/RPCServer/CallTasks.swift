internal import NIOCore
internal import RPCCore
internal import Synchronization

/// The running work of one connection's calls. Tasks run on the connection's event loop while they do not wait for others.
///
/// It must be used on that event loop only.
final class CallTasks {
    private typealias Finished = @Sendable (Result<Step, RPCError>) -> Void

    private let eventLoop: any EventLoop
    private let executor: EventLoopExecutor
    private let counters: EventCounters
    private let arrivals: StepArrivals

    init(on eventLoop: any EventLoop, counters: EventCounters) {
        self.eventLoop = eventLoop
        self.executor = EventLoopExecutor(eventLoop)
        self.counters = counters
        self.arrivals = StepArrivals(on: eventLoop)
    }

    /// Starts a call's work. The wire's `calls.workFinished` gets its result, on the event loop, after this has returned.
    func start(_ work: CallWork, of call: RunningCall, on wire: any WireConnection) {
        counters.taskStarted()
        let running = NIOLoopBound(RunningWork(call: call, wire: wire), eventLoop: eventLoop)
        switch work {
        case .task(let run):
            let task = CallDeadline.$current.withValue(call.deadline) {
                CallerID.$current.withValue(call.caller) { start(run, call.trace) { running.value.finished($0) } }
            }
            call.cancelWork = { task.cancel() }
        case .pending(let step):
            let arrival = StepArrivals.Arrival(of: step, running, in: arrivals)
            call.cancelWork = step.begin { arrival.arrived() }
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

    /// Notes that a call's work has reported its result.
    func ended(_ call: RunningCall) {
        counters.taskEnded()
        call.cancelWork = nil
    }
}

/// The work of a call, and the wire that gets its result.
private struct RunningWork {
    let call: RunningCall
    let wire: any WireConnection

    func finished(_ result: Result<Step, RPCError>) { wire.calls.workFinished(call, result, on: wire) }
}

/// The pending steps of a connection that have arrived from other threads. Those that arrive together, as those of one
/// commit, reach the event loop with one of its tasks.
private final class StepArrivals: Sendable {
    /// A step that was begun. It is an object, so that its place in the queue is one reference.
    final class Arrival: Sendable {
        fileprivate let step: any PendingStep
        fileprivate let work: NIOLoopBound<RunningWork>
        private let arrivals: StepArrivals

        init(of step: any PendingStep, _ work: NIOLoopBound<RunningWork>, in arrivals: StepArrivals) {
            self.step = step
            self.work = work
            self.arrivals = arrivals
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
            arrival.work.value.finished(Result { () throws(RPCError) in try arrival.step.step() })
        }
    }
}
