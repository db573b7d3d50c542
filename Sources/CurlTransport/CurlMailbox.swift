internal import MarvelDomain
internal import Synchronization
internal import Upstream

/// A queue of commands from callers on any thread to the engine's thread.
///
///     open ──stop──▶ stopping ──engine closes──▶ closed
///
/// The number of requests is counted here, so that a request above the limit is refused without waking the engine.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(CurlJob)
        case cancel(CurlJob.ID)
    }

    struct Delivery: Sendable {
        var commands: [Command]
        /// Whether no commands follow after these.
        var isStopping: Bool
    }

    private enum Phase {
        case open
        case stopping
        /// The multi handle is freed, and must not be woken.
        case closed
    }

    private struct State {
        var phase = Phase.open
        var commands: [Command] = []
        /// The number of jobs that were accepted and have no result yet.
        var requestCount = 0
        var lastID: CurlJob.ID = 0
        var stopWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let maximumRequests: Int
    private let multi: CurlMultiHandle
    private let state = Mutex(State())

    init(maximumRequests: Int, multi: CurlMultiHandle) {
        self.maximumRequests = maximumRequests
        self.multi = multi
    }

    // MARK: Callers

    func nextID() -> CurlJob.ID {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Gives the job to the engine, or fails it with the reason for its refusal.
    func start(_ job: CurlJob) {
        let refusal: SourceError? = state.withLock { state in
            guard state.phase == .open else { return .shutDown }
            guard state.requestCount < maximumRequests else { return .overloaded(maximumRequests: maximumRequests) }
            state.requestCount += 1
            state.commands.append(.start(job))
            multi.wake()
            return nil
        }
        if let refusal { job.continuation.resume(returning: .failure(refusal)) }
    }

    /// Cancels a job. Does nothing if the job is unknown: it has ended, or was never accepted.
    func cancel(_ id: CurlJob.ID) {
        state.withLock { state in
            guard state.phase == .open else { return }
            state.commands.append(.cancel(id))
            multi.wake()
        }
    }

    /// Stops the engine.
    ///
    /// - Parameter waiter: Resumed when the engine is closed, immediately if it is closed already.
    func stop(then waiter: CheckedContinuation<Void, Never>? = nil) {
        let isClosed = state.withLock { state in
            guard state.phase != .closed else { return true }
            state.phase = .stopping
            if let waiter { state.stopWaiters.append(waiter) }
            multi.wake()
            return false
        }
        if isClosed { waiter?.resume() }
    }

    // MARK: The engine

    /// Returns the commands that arrived since the last call.
    func take() -> Delivery {
        state.withLock { state in
            defer { state.commands = [] }
            return Delivery(commands: state.commands, isStopping: state.phase != .open)
        }
    }

    /// Gives an accepted job its result.
    func finish(_ job: CurlJob, with outcome: CurlJob.Outcome) {
        state.withLock { $0.requestCount -= 1 }
        job.continuation.resume(returning: outcome)
    }

    /// Closes the mailbox: no command is accepted afterwards, and the multi handle is not woken any more.
    ///
    /// - Returns: The commands that arrived since the last `take`.
    func refuseFurther() -> [Command] {
        state.withLock { state in
            state.phase = .closed
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Resumes the tasks that wait for the stop: libcurl is no longer in use.
    func closed() {
        let waiters = state.withLock { state in
            defer { state.stopWaiters = [] }
            return state.stopWaiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// One request for the engine, and the continuation that waits for its result.
struct CurlJob: Sendable {
    typealias ID = UInt64
    typealias Outcome = Result<HTTPResponse, SourceError>

    let id: ID
    let request: HTTPRequest
    /// The moment at which the caller gives up, whether the request is active or waiting.
    let deadline: ContinuousClock.Instant
    /// The continuation, which the mailbox resumes once.
    let continuation: CheckedContinuation<Outcome, Never>
}
