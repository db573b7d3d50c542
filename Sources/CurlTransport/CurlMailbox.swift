internal import MarvelDomain
internal import Synchronization
internal import Upstream

/// A queue of commands from callers on any thread to the engine's thread.
///
///     open ──stop──▶ stopping ──engine closes──▶ closed
///
/// It refuses a request above the limit without waking the engine.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(CurlJob)
        case cancel(CurlJob.ID)
    }

    struct Delivery: Sendable {
        var commands: [Command]
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
        /// Accepted jobs without a result.
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

    func nextID() -> CurlJob.ID {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

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

    /// Does nothing if the job has ended, or was never accepted.
    func cancel(_ id: CurlJob.ID) {
        state.withLock { state in
            guard state.phase == .open else { return }
            state.commands.append(.cancel(id))
            multi.wake()
        }
    }

    /// Resumes `waiter` when the engine is closed.
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

    func take() -> Delivery {
        state.withLock { state in
            defer { state.commands = [] }
            return Delivery(commands: state.commands, isStopping: state.phase != .open)
        }
    }

    func finish(_ job: CurlJob, with outcome: CurlJob.Outcome) {
        state.withLock { $0.requestCount -= 1 }
        job.continuation.resume(returning: outcome)
    }

    /// The mailbox no longer wakes the multi handle. Returns the commands that arrived since the last `take`.
    func refuseFurther() -> [Command] {
        state.withLock { state in
            state.phase = .closed
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// libcurl is no longer in use.
    func closed() {
        let waiters = state.withLock { state in
            defer { state.stopWaiters = [] }
            return state.stopWaiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

struct CurlJob: Sendable {
    typealias ID = UInt64
    typealias Outcome = Result<HTTPResponse, SourceError>

    let id: ID
    let request: HTTPRequest
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Outcome, Never>
}
