internal import NIOCore
internal import RPCCore

/// The tasks of one connection's calls. They run on the connection's event loop while they do not wait for others.
///
/// It must be used on that event loop only.
final class CallTasks {
    private let executor: EventLoopExecutor
    private let counters: EventCounters
    /// The identity of the connection where its calls share a queue or a budget with those of others.
    private let caller: CallerID
    private var tasks: [StreamID: Task<Void, Never>] = [:]

    init(on eventLoop: any EventLoop, counters: EventCounters, caller: CallerID) {
        self.executor = EventLoopExecutor(eventLoop)
        self.counters = counters
        self.caller = caller
    }

    /// Starts a call's work.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - finished: The function that gets its result, on the event loop. It calls `ended` first.
    func start(_ work: CallWork, finished: @escaping @Sendable (Result<Step, RPCError>) -> Void) {
        counters.taskStarted()
        tasks[work.id] = CallDeadline.$current.withValue(work.deadline) {
            CallerID.$current.withValue(caller) { run(work, finished) }
        }
    }

    private func run(
        _ work: CallWork,
        _ finished: @escaping @Sendable (Result<Step, RPCError>) -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: executor) {
            let result: Result<Step, RPCError>
            do throws(RPCError) {
                result = .success(try await work.run())
            } catch {
                result = .failure(error)
            }
            finished(result)
        }
    }

    /// Cancels a call's task. Its work still reports its result.
    func cancel(_ id: StreamID) { tasks[id]?.cancel() }

    /// Notes that a task has reported its result.
    func ended(_ id: StreamID) {
        counters.taskEnded()
        tasks[id] = nil
    }
}
