internal import MarvelAPI
internal import Synchronization

/// Where callers on any thread leave what the engine's thread shall do.
///
///     open ──stop──▶ stopping ──engine's last act──▶ closed
///
/// The count of requests is kept here, so that one too many is refused without waking the engine.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(CurlJob)
        case cancel(CurlJob.ID)
    }

    struct Delivery: Sendable {
        var commands: [Command]
        /// Nothing follows after these commands.
        var isStopping: Bool
    }

    private enum Phase {
        case open
        case stopping
        /// The multi handle is gone and must not be woken.
        case closed
    }

    private struct State {
        var phase = Phase.open
        var commands: [Command] = []
        /// Jobs taken in and not yet answered.
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

    /// Hands the job to the engine, or answers it with the reason why not.
    func start(_ job: CurlJob) {
        let refusal: HTTPTransportError? = state.withLock { state in
            guard state.phase == .open else { return .shutDown }
            guard state.requestCount < maximumRequests else { return .overloaded(maximumRequests: maximumRequests) }
            state.requestCount += 1
            state.commands.append(.start(job))
            multi.wake()
            return nil
        }
        if let refusal { job.continuation.resume(returning: .failure(refusal)) }
    }

    /// Does nothing if the job is unknown: it ended, or was never taken in.
    func cancel(_ id: CurlJob.ID) {
        state.withLock { state in
            guard state.phase == .open else { return }
            state.commands.append(.cancel(id))
            multi.wake()
        }
    }

    /// - Parameter waiter: Resumed when the engine is closed, at once if it is already.
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

    /// What came in since the last call.
    func take() -> Delivery {
        state.withLock { state in
            defer { state.commands = [] }
            return Delivery(commands: state.commands, isStopping: state.phase != .open)
        }
    }

    /// Answers a job that was taken in.
    func finish(_ job: CurlJob, with outcome: CurlJob.Outcome) {
        state.withLock { $0.requestCount -= 1 }
        job.continuation.resume(returning: outcome)
    }

    /// From here on nothing is taken in, and nothing wakes the multi handle.
    ///
    /// - Returns: Commands that came in since the last `take`.
    func refuseFurther() -> [Command] {
        state.withLock { state in
            state.phase = .closed
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Tells those who stopped the engine that libcurl is no longer in use.
    func closed() {
        let waiters = state.withLock { state in
            defer { state.stopWaiters = [] }
            return state.stopWaiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
