internal import NIOCore
internal import RPCClient
internal import RPCCore
internal import WireMessages

/// The part of a load test on one event loop. It runs only there, so it needs no locks.
final class LoadWorker {
    enum Phase {
        case idle
        case warmingUp
        case measuring
        case draining
    }

    let plan: LoadPlan
    let share: WorkerShare
    let eventLoop: any EventLoop
    private(set) var phase = Phase.idle
    private var requests: LoadRequests
    private(set) var recorder: Recorder
    private var links: [LoadLink] = []

    private var isClosed = false

    private var pacer: Pacer?
    private var limit = RunLimit()
    /// The start of the phase, on `LoadClock`.
    private(set) var start: Nanoseconds = 0
    private var sent = 0
    private var end: Nanoseconds = 0
    private var wasServerLost = false
    /// The CPU time of the process at the start of the measurement, and at the end of this worker's run.
    private var cpu: (before: Duration, after: Duration) = (.zero, .zero)
    private var done: EventLoopPromise<Void>?
    private var sweep: Scheduled<Void>?

    private var timer: Scheduled<Void>?
    private var isBlocked = false
    private var nextLink = 0
    private var started = 0

    init(
        _ plan: LoadPlan,
        share: WorkerShare,
        requests: LoadRequests,
        servers: [ServerEndpoint],
        security: ClientSecurity,
        options: RPCClientOptions,
        on eventLoop: any EventLoop
    ) {
        self.plan = plan
        self.share = share
        self.requests = requests
        self.eventLoop = eventLoop
        self.recorder = Recorder(plan.mix.operations)
        // Each worker begins at another position of the mix, so that they start different operations.
        self.started = plan.mix.cycleLength * share.worker / share.workers
        self.links = (0..<share.ownConnections).map { number in
            let connection = share.worker + number * share.workers
            return LoadLink(
                to: servers,
                security: security,
                options: options,
                number: connection,
                places: plan.concurrency,
                on: eventLoop,
                owner: self
            )
        }
    }

    /// The future succeeds when the last call has ended. Calls count from `start` on, which is on `LoadClock`.
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

    /// Active calls are cancelled and not counted.
    func stop() {
        for link in links {
            for (id, _) in link.calls { link.abandon(id) }
        }
        endStarts()
        finish()
    }

    func close() {
        isClosed = true
        for link in links { link.close() }
    }

    var part: Part { Part(recorder: recorder, elapsed: end, cpu: cpu, wasServerLost: wasServerLost) }

    struct Part {
        private(set) var recorder: Recorder
        var elapsed: Nanoseconds
        var cpu: (before: Duration, after: Duration)
        var wasServerLost: Bool
    }

    private func enter(_ phase: Phase, _ model: LoadPlan.Model, _ limit: RunLimit, from start: Nanoseconds) {
        self.phase = phase
        self.limit = limit
        self.start = start
        sent = 0
        isBlocked = false
        recorder = Recorder(plan.mix.operations)
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
            pacer = Pacer(schedule: schedule, share: share, limit: limit)
            startDueCalls()
        }
        scheduleEnd()
        finishIfDone()
    }

    private var hasTimeLimit: Bool { limit.time < .max }

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

    private func endStarts() {
        guard phase != .idle, phase != .draining else { return }
        if phase == .measuring {
            let elapsed = min(LoadClock.now - start, limit.time)
            end = max(end, elapsed)
            if let pacer { recorder.pacing.missedStarts += pacer.behind(elapsed: elapsed, sent: sent) }
        }
        phase = .draining
        isBlocked = false
        timer?.cancel()
        timer = nil
    }

    private func finishIfDone() {
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

    private func record(_ call: LoadCall, _ verdict: CallOutcome.Verdict) {
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

    private func placeIsFree(on link: LoadLink) {
        if pacer == nil {
            fill(link)
        } else if isBlocked {
            startDueCalls(on: link)
        }
        finishIfDone()
    }
}

extension LoadWorker {
    /// Opens at most `maximum` at a time. After the first failure no more attempts begin.
    func connect(atOnce maximum: Int) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        var (next, open) = (0, 0)
        func connectNext() {
            guard next < links.count else { return }
            let link = links[next]
            next += 1
            link.connect { result in
                switch result {
                case .success:
                    open += 1
                    if open == self.links.count { promise.succeed() }
                    connectNext()
                case .failure(let error):
                    next = self.links.count
                    promise.fail(error)
                }
            }
        }
        for _ in 0..<min(maximum, links.count) { connectNext() }
        return promise.futureResult
    }

    var openLinks: Int { links.count { $0.state == .open } }

    private func reconnect(_ link: LoadLink) {
        eventLoop.assumeIsolated().scheduleTask(in: link.delay) {
            guard link.state == .closed, !self.isClosed else { return }
            link.connect { self.reconnected(link, $0) }
        }
    }

    private func reconnected(_ link: LoadLink, _ result: Result<Void, any Error>) {
        switch result {
        case .success where isClosed:
            link.close()
        case .success:
            recorder.connections.reopened += 1
            placeIsFree(on: link)
        case .failure:
            recorder.connections.failedAttempts += 1
            // In the closed model, only this link would have made the call.
            if pacer == nil, phase == .measuring {
                if mayStart { failCall(origin: LoadClock.now) }
                if !mayStart { endStarts() }
                finishIfDone()
            }
            guard link.state == .abandoned else { return reconnect(link) }
            guard links.allSatisfy({ $0.state == .abandoned }) else { return }
            wasServerLost = true
            endStarts()
            finishIfDone()
        }
    }
}

extension LoadWorker {
    private func fill(_ link: LoadLink) {
        while link.hasRoom, mayStart {
            guard startCall(on: link, origin: LoadClock.now) else { return }
        }
        if !mayStart, phase == .measuring { endStarts() }
    }

    private var mayStart: Bool {
        switch phase {
        case .warmingUp: true
        case .measuring: share.overallNumber(sent) < limit.calls && LoadClock.now - start < limit.time
        case .idle, .draining: false
        }
    }

    /// Returns false if the link accepts no more calls.
    private func startCall(on link: LoadLink, origin: Nanoseconds) -> Bool {
        let operation = plan.mix.operation(at: started)
        let request = requests.first(operation)
        let call = LoadCall(
            operation: operation,
            origin: origin,
            sent: pacer == nil ? origin : LoadClock.now,
            query: request.query,
            isMeasured: phase == .measuring
        )
        guard link.send(call, request.encoded) else { return false }
        started += 1
        sent += 1
        return true
    }

    private func failCall(origin: Nanoseconds) {
        let operation = plan.mix.operation(at: started)
        started += 1
        sent += 1
        let call = LoadCall(
            operation: operation,
            origin: origin,
            sent: origin,
            query: 0,
            isMeasured: phase == .measuring
        )
        record(call, .unreachable(LoadWorker.unreachable))
    }

    private static let unreachable = Failure(.unavailable, .serverUnreachable)

    private func takeLink() -> LoadLink? {
        for _ in links.indices {
            nextLink = nextLink + 1 < links.count ? nextLink + 1 : 0
            if links[nextLink].hasRoom { return links[nextLink] }
        }
        return nil
    }

    private var isAnyLinkOpen: Bool { links.contains { $0.state == .open } }
}

extension LoadWorker {
    /// The maximum number of calls to start before the event loop checks its sockets again.
    private static let callsAtOnce = 256

    /// `link` has a free place.
    private func startDueCalls(on link: LoadLink? = nil) {
        guard let pacer, phase == .warmingUp || phase == .measuring else { return }
        let wasBlocked = isBlocked
        isBlocked = false
        for _ in 0..<LoadWorker.callsAtOnce {
            let now = LoadClock.now
            switch pacer.decide(elapsed: now - start, sent: sent) {
            case .start(let due):
                let origin = start + due
                // While all places were taken, only the place on `link` became free.
                if let place = wasBlocked ? link.flatMap({ $0.hasRoom ? $0 : nil }) : takeLink() {
                    guard startCall(on: place, origin: origin) else { continue }
                    account(delay: now - origin, isLate: wasBlocked)
                } else if isAnyLinkOpen {
                    isBlocked = true
                    return
                } else {
                    failCall(origin: origin)
                }
            case .wait(let time):
                return wake(at: start.adding(time))
            case .finished:
                // A run with a time limit lasts until that time, even if its last calls end earlier.
                return hasTimeLimit ? () : endStarts()
            }
        }
        wake(at: 0)
    }

    private func account(delay: Nanoseconds, isLate: Bool) {
        guard phase == .measuring else { return }
        if recorder.pacing.startDelay == nil { recorder.pacing.startDelay = LatencyHistogram() }
        recorder.pacing.startDelay?.record(delay)
        if isLate { recorder.pacing.lateStarts += 1 }
    }

    private func wake(at time: Nanoseconds) {
        timer?.cancel()
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: LoadClock.deadline(time)) {
            self.startDueCalls()
        }
    }
}

extension LoadWorker {
    func received(_ event: ClientConnectionEvent, on link: LoadLink) {
        switch event {
        case .ready:
            break
        case .answer(let id, let answer):
            guard var call = link.calls.removeValue(forKey: id) else { return }
            call.received(answer, at: LoadClock.now)
            answered(call, answer, on: link)
        case .message(let id, let message, let isLast):
            link.calls[id]?.received(message, at: LoadClock.now)
            if isLast { finish(id, .success, on: link) }
        case .end(let id):
            finish(id, .success, on: link)
        case .failure(let id, let error):
            finish(id, LoadWorker.verdict(error), on: link)
        case .goAway(_, let dropped):
            for id in dropped { finish(id, .failure(LoadWorker.draining), on: link) }
        }
    }

    func closed(_ link: LoadLink) {
        // Only the link may know a call, because the connection has already dropped it.
        let calls = link.calls.values
        link.calls.removeAll()
        recorder.connections.lost += 1
        for call in calls { record(call, .unreachable(LoadWorker.connectionLost)) }
        reconnect(link)
        placeIsFree(on: link)
    }

    private func answered(_ call: LoadCall, _ answer: ByteBuffer, on link: LoadLink) {
        if call.operation == .walk,
            continueWalk(call, after: SearchCharactersResponse.nextPageToken(ofEncoded: answer), on: link)
        {
            return
        }
        record(call, .success)
        placeIsFree(on: link)
    }

    /// Returns false if the walk is finished.
    private func continueWalk(_ call: LoadCall, after token: String, on link: LoadLink) -> Bool {
        guard !token.isEmpty, plan.maximumPages == 0 || call.pages < plan.maximumPages else { return false }
        var call = call
        call.sent = LoadClock.now
        if link.send(call, requests.page(ofQuery: call.query, token: token)) { return true }
        record(call, .failure(LoadWorker.draining))
        placeIsFree(on: link)
        return true
    }

    private func finish(_ id: StreamID, _ verdict: CallOutcome.Verdict, on link: LoadLink) {
        guard let call = link.calls.removeValue(forKey: id) else { return }
        record(call, verdict)
        placeIsFree(on: link)
    }

    private static func verdict(_ error: RPCError) -> CallOutcome.Verdict {
        let failure = Failure(error)
        if error.code == .deadlineExceeded { return .timeout(failure) }
        let isNoAnswer = error.origin == .local && error.code == .unavailable
        return isNoAnswer ? .unreachable(failure) : .failure(failure)
    }

    private static let connectionLost = Failure(.unavailable, .connectionLost)
    private static let draining = Failure(.unavailable, .draining)
}

/// Calls whose deadline has passed. The server ends such calls too, so this waits a little longer.
extension LoadWorker {
    /// A periodic check, because a timer for each call would cost more than the call.
    private func scheduleSweep() {
        let interval = TimeAmount.nanoseconds(min(max(plan.timeout.inNanoseconds / 10, 5_000_000), 250_000_000))
        sweep = eventLoop.assumeIsolated().scheduleTask(in: interval) {
            self.endOverdueCalls(sentBefore: LoadClock.now - self.plan.timeout.inNanoseconds - interval.nanoseconds)
            if self.done != nil { self.scheduleSweep() }
        }
    }

    private func endOverdueCalls(sentBefore limit: Nanoseconds) {
        // A walk may have any number of pages. One that continues for so long after the time of the run is not counted.
        if phase == .draining, hasTimeLimit, start.adding(self.limit.time) < limit { return stop() }
        for link in links {
            for (id, call) in link.calls where call.sent < limit {
                link.abandon(id)
                record(call, .timeout(LoadWorker.overdue))
                placeIsFree(on: link)
            }
        }
    }

    private static let overdue = Failure(code: StatusCode.deadlineExceeded.name, reason: "")
}

extension Failure {
    init(_ error: RPCError) {
        self.init(code: error.code.name, reason: error.reason?.rawValue ?? "")
    }

    init(_ code: StatusCode, _ reason: ErrorReason) {
        self.init(code: code.name, reason: reason.rawValue)
    }
}
