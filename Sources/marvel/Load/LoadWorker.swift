internal import Framing
internal import LoadEngine
internal import MarvelClient
internal import NIOCore
internal import RPCTransport
internal import WireMessages

/// One event loop's part of a load test: its connections, its share of the calls, and its record of them.
///
/// Everything happens on that loop, so nothing is shared and nothing is locked while the test runs.
final class LoadWorker: LoadLinkOwner {
    enum Phase {
        case idle
        /// Calls are made and not counted.
        case warmingUp
        case measuring
        /// No call starts any more; those under way still end.
        case draining
    }

    let plan: LoadPlan
    let share: Share
    let eventLoop: any EventLoop
    private(set) var phase = Phase.idle
    var requests: RequestBook
    var recorder: Recorder
    private(set) var links: [LoadLink] = []

    private(set) var isClosed = false

    // The run that is under way.
    var pacer: Pacer?
    private(set) var limit = RunLimit()
    /// When the phase began, on `LoadClock`.
    private(set) var start: Nanoseconds = 0
    /// Calls that were started in this phase.
    var sent = 0
    /// When the last measured call ended, or when no more were started: after the start.
    private var end: Nanoseconds = 0
    var wasServerLost = false
    /// CPU time of the process when the measurement began, and when this worker was done.
    private var cpu: (before: Duration, after: Duration) = (.zero, .zero)
    private(set) var done: EventLoopPromise<Void>?
    var sweep: Scheduled<Void>?

    // The open model's.
    var timer: Scheduled<Void>?
    /// Calls are due and every place is taken.
    var isBlocked = false
    var nextLink = 0
    var started = 0

    init(_ plan: LoadPlan, share: Share, requests: RequestBook, servers: [ServerAddress], on eventLoop: any EventLoop) {
        self.plan = plan
        self.share = share
        self.requests = requests
        self.eventLoop = eventLoop
        self.recorder = Recorder(plan.mix.operations)
        // Each worker begins at another place of the mix, so that they do not all do the same at once.
        self.started = plan.mix.cycleLength * share.worker / share.workers
        self.links = (0..<share.ownConnections).map { number in
            let connection = share.worker + number * share.workers
            return LoadLink(to: servers[connection % servers.count], places: plan.concurrency, owner: self)
        }
    }

    // MARK: A run

    /// - Parameters:
    ///   - model: What makes calls start.
    ///   - limit: What ends the run.
    ///   - warmUp: How long before `start` calls begin.
    ///   - start: From when on calls count, on `LoadClock`.
    /// - Returns: Done when the last call has ended.
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

    /// Ends the run now. Calls under way are cancelled and not counted.
    func stop() {
        for link in links {
            for (id, _) in link.calls { link.abandon(id) }
        }
        endStarts()
        finish()
    }

    /// Closes all connections for good.
    func close() {
        isClosed = true
        for link in links { link.close() }
    }

    /// What was measured.
    var part: Part { Part(recorder: recorder, elapsed: end, cpu: cpu, wasServerLost: wasServerLost) }

    struct Part {
        var recorder: Recorder
        var elapsed: Nanoseconds
        /// CPU time of the process when the measurement began, and when this worker was done.
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
            // A warm-up runs at the rate that the measurement begins with.
            let schedule = phase == .warmingUp ? .constant(max(schedule.rate(at: .zero), 1)) : schedule
            pacer = Pacer(schedule, share: share, limit: limit)
            startWhatIsDue()
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
            self.startWhatIsDue()
            self.endStarts()
            self.finishIfDone()
        }
    }

    /// No call starts any more.
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

    /// A call ended on a link: the next one has its place.
    func placeIsFree(on link: LoadLink) {
        if pacer == nil {
            fill(link)
        } else if isBlocked {
            startWhatIsDue(on: link)
        }
        finishIfDone()
    }
}
