internal import LoadEngine
internal import NIOCore
internal import RPCCore
internal import RPCTransport

/// The part of a load test on one event loop: its connections, its share of the calls, and their records.
///
/// A worker runs on its event loop only, so during the test nothing is shared and nothing is locked.
final class LoadWorker: LoadLinkOwner {
    enum Phase {
        case idle
        /// Calls are made, but not counted.
        case warmingUp
        case measuring
        /// No more calls start; active calls may still end.
        case draining
    }

    let plan: LoadPlan
    let share: WorkerShare
    let eventLoop: any EventLoop
    private(set) var phase = Phase.idle
    var requests: LoadRequests
    var recorder: Recorder
    private(set) var links: [LoadLink] = []

    private(set) var isClosed = false

    // The state of the active run.
    var pacer: Pacer?
    private(set) var limit = RunLimit()
    /// The start of the phase, on `LoadClock`.
    private(set) var start: Nanoseconds = 0
    /// The number of calls started in this phase.
    var sent = 0
    /// The time after the start at which the last measured call ended, or from which on no more were started.
    private var end: Nanoseconds = 0
    var wasServerLost = false
    /// The CPU time of the process at the start of the measurement, and at the end of this worker's run.
    private var cpu: (before: Duration, after: Duration) = (.zero, .zero)
    private(set) var done: EventLoopPromise<Void>?
    var sweep: Scheduled<Void>?

    // The state of the open model.
    var timer: Scheduled<Void>?
    /// Whether calls are due while every place is taken.
    var isBlocked = false
    var nextLink = 0
    var started = 0

    init(
        _ plan: LoadPlan,
        share: WorkerShare,
        requests: LoadRequests,
        servers: [ServerEndpoint],
        security: ClientSecurity,
        credentials: ClientCredentials?,
        on eventLoop: any EventLoop
    ) {
        self.plan = plan
        self.share = share
        self.requests = requests
        self.eventLoop = eventLoop
        self.recorder = Recorder(plan.mix.operations)
        // Each worker begins at another position of the mix, so that they do not all start the same operation at once.
        self.started = plan.mix.cycleLength * share.worker / share.workers
        self.links = (0..<share.ownConnections).map { number in
            let connection = share.worker + number * share.workers
            return LoadLink(
                to: servers,
                security: security,
                credentials: credentials,
                number: connection,
                places: plan.concurrency,
                owner: self
            )
        }
    }

    // MARK: A run

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - model: The rule by which calls start.
    ///   - limit: The end of the run.
    ///   - warmUp: The time before `start` at which calls begin.
    ///   - start: The time from which on calls count, on `LoadClock`.
    /// - Returns: A future that succeeds when the last call has ended.
    func run(
        _ model: LoadPlan.Model,
        limit: RunLimit,
        warmUp: Duration,
        from start: Nanoseconds
    ) -> EventLoopFuture<Void> {
        let done = eventLoop.makePromise(of: Void.self)
        self.done = done
        wasServerLost = false
        if warmUp > .zero {
            enter(.warmingUp, model, RunLimit(), from: start - warmUp.inNanoseconds)
        }
        eventLoop.assumeIsolated().scheduleTask(deadline: LoadClock.deadline(start)) {
            guard self.done != nil else { return }
            self.enter(.measuring, model, limit, from: start)
        }
        scheduleSweep()
        return done.futureResult
    }

    /// Ends the run immediately. Active calls are cancelled and not counted.
    func stop() {
        for link in links {
            for (id, _) in link.calls { link.abandon(id) }
        }
        endStarts()
        finish()
    }

    /// Closes all connections permanently.
    func close() {
        isClosed = true
        for link in links { link.close() }
    }

    /// The results of the run.
    var part: Part { Part(recorder: recorder, elapsed: end, cpu: cpu, wasServerLost: wasServerLost) }

    struct Part {
        var recorder: Recorder
        var elapsed: Nanoseconds
        /// The CPU time of the process at the start of the measurement, and at the end of this worker's run.
        var cpu: (before: Duration, after: Duration)
        var wasServerLost: Bool
    }

    private func enter(_ phase: Phase, _ model: LoadPlan.Model, _ limit: RunLimit, from start: Nanoseconds) {
        self.phase = phase
        self.limit = limit
        self.start = start
        sent = 0
        isBlocked = false
        recorder = Recorder(plan.mix.operations, schedule: phase == .measuring ? model.schedule : nil)
        end = 0
        cpu.before = ProcessTime.now
        timer?.cancel()
        timer = nil
        switch model {
        case .closed:
            pacer = nil
            for link in links { fill(link) }
        case .open(let schedule):
            // A warm-up runs at the first rate of the measurement.
            let schedule = phase == .warmingUp ? .constant(max(schedule.rate(at: .zero), 1)) : schedule
            pacer = Pacer(schedule, share: share, limit: limit)
            startDueCalls()
        }
        scheduleEnd()
        finishIfDone()
    }

    var hasTimeLimit: Bool { limit.time < .max }

    private func scheduleEnd() {
        guard phase == .measuring, hasTimeLimit else { return }
        let start = start
        eventLoop.assumeIsolated().scheduleTask(deadline: LoadClock.deadline(start.adding(limit.time))) {
            guard self.phase == .measuring, self.start == start else { return }
            self.startDueCalls()
            self.endStarts()
            self.finishIfDone()
        }
    }

    /// Ends the start of calls.
    func endStarts() {
        guard phase != .idle, phase != .draining else { return }
        if phase == .measuring {
            let elapsed = min(LoadClock.now - start, limit.time)
            end = max(end, elapsed)
            if isBlocked, let pacer { recorder.pacing.missedStarts += pacer.behind(elapsed: elapsed, sent: sent) }
        }
        phase = .draining
        isBlocked = false
        timer?.cancel()
        timer = nil
    }

    func finishIfDone() {
        if phase == .draining, links.allSatisfy(\.calls.isEmpty) { finish() }
    }

    private func finish() {
        phase = .idle
        sweep?.cancel()
        sweep = nil
        timer?.cancel()
        timer = nil
        cpu.after = ProcessTime.now
        done?.succeed()
        done = nil
    }

    // MARK: Calls that end

    func record(_ call: LoadCall, _ verdict: CallOutcome.Verdict) {
        guard call.isMeasured, phase == .measuring || phase == .draining else { return }
        let now = LoadClock.now
        end = max(end, now - start)
        recorder.record(
            CallOutcome(
                operation: call.operation,
                due: call.origin - start,
                latency: now - call.origin,
                firstPage: call.firstPage,
                pages: call.pages,
                bytes: call.bytes,
                verdict: verdict
            )
        )
    }

    /// Starts the next call after a call on a link has ended.
    func placeIsFree(on link: LoadLink) {
        if pacer == nil {
            fill(link)
        } else if isBlocked {
            startDueCalls(on: link)
        }
        finishIfDone()
    }
}
