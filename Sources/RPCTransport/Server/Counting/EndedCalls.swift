internal import NIOCore
internal import RPCCore

/// The calls of a connection that have ended in this turn, until they are counted at its end.
///
/// The clock is read once for all of them: a call lasts from the read that brought it to the write that answers it, without the
/// pauses of its caller. Those that are answered at once, and are alike, are one number. It is an object, because a value of so many parts would be copied with
/// each call.
final class EndedCalls {
    /// The calls of one method that were answered at once.
    private struct Run {
        var method = 0
        var system = RPCSystem.ttrpc
        var startedAt = NIODeadline.uptimeNanoseconds(0)
        var count = 0
    }

    private let server: ServerContext
    private let eventLoop: any EventLoop
    private let counters: EventCounters
    private let peer: SocketAddress?
    private var run = Run()
    /// The further calls of the run that are not logged.
    private var unlogged = 0
    /// The other ones, each with the number of calls that its line in the log stands for; 0 if it gets one only for a fault.
    private var others: [(call: EndedCall, sampled: Int)] = []

    init(of server: ServerContext, on channel: any Channel) {
        self.server = server
        eventLoop = channel.eventLoop
        counters = server.counters(of: channel.eventLoop)
        peer = server.accessLog == nil ? nil : channel.remoteAddress
    }

    /// Adds a call that was answered at once.
    ///
    /// - Parameters:
    ///   - method: The number of the method.
    ///   - system: The protocol by which it arrived.
    ///   - now: The time of its arrival.
    ///   - details: What is logged of it, if it is logged.
    @inline(__always)
    func answered(_ method: Int, _ system: RPCSystem, now: NIODeadline, details: () -> EndedCall) {
        // The hot path touches no other object: counting references would cost more than all else here.
        if unlogged > 0, run.method == method, run.system == system, run.startedAt == now {
            unlogged -= 1
            run.count += 1
        } else {
            answeredFirst(method, system, now: now, details)
        }
    }

    private func answeredFirst(
        _ method: Int,
        _ system: RPCSystem,
        now: NIODeadline,
        _ details: () -> EndedCall
    ) {
        endRun(now: run.count > 0 ? .now() : now)
        let sampled = counters.sampler.take()
        guard sampled == 0 else { return others.append((details(), sampled)) }
        run = Run(method: method, system: system, startedAt: now, count: 1)
        unlogged = counters.sampler.unlogged
    }

    /// Counts the calls that were alike.
    private func endRun(now: NIODeadline) {
        guard run.count > 0 else { return }
        // The first of them has told the sampler itself.
        counters.sampler.skip(run.count - 1)
        count(run, now: now)
        run.count = 0
        unlogged = 0
    }

    func append(_ call: EndedCall) { others.append((call, counters.sampler.take())) }

    /// Whether there is something to count.
    var isEmpty: Bool { run.count == 0 && others.isEmpty }

    /// Counts the calls, and gives those that are to be logged to the log.
    func count(and more: [EndedCall], now: NIODeadline) {
        endRun(now: now)
        for call in more { append(call) }
        if !others.isEmpty {
            count(others, now: now)
            others = []
        }
        counters.sampler.turnEnded(now: now)
    }

    private func count(_ run: Run, now: NIODeadline) {
        let duration = (now - run.startedAt).nanoseconds
        let isStream = server.methods.method(run.method)?.isStreaming == true
        counters.calls.add(
            run.count,
            run.system,
            method: run.method,
            .ok,
            nanoseconds: duration,
            toFirstMessage: isStream ? duration : nil
        )
        guard let log = server.accessLog, Duration.nanoseconds(duration) >= log.rules.slowCall else { return }
        // A turn that took so long says little of each of its calls: one line is for all of them.
        let call = EndedCall(server.methods.method(run.method), run.system, startedAt: run.startedAt)
        log.log([logged(call, run.method, nanoseconds: duration, now: now, sampled: run.count)])
    }

    private func count(_ calls: [(call: EndedCall, sampled: Int)], now: NIODeadline) {
        var logged: [LoggedCall] = []
        for (call, sampled) in calls {
            let method = server.methods.number(of: call.method)
            let duration = call.nanoseconds(now: now)
            let isWatch = call.method?.isWatch == true
            counters.calls.add(
                1,
                call.system,
                method: method,
                call.code,
                nanoseconds: isWatch ? nil : duration,
                toFirstMessage: isWatch ? nil : call.nanosecondsToFirstMessage(now: now)
            )
            if let event = call.reason.flatMap(CallerEvent.init) { counters.count(event) }
            guard let log = server.accessLog else { continue }
            // A watch lasts as long as its caller wants.
            let isSlow = !isWatch && .nanoseconds(duration) >= log.rules.slowCall
            if Self.isFailure(call), !isSlow {
                let line = self.logged(call, method, nanoseconds: duration, now: now, sampled: 1)
                logged += failed(line, now: now, log)
                continue
            }
            guard isSlow || sampled > 0 else { continue }
            logged.append(
                self.logged(call, method, nanoseconds: duration, now: now, sampled: isSlow ? 1 : sampled)
            )
        }
        if !logged.isEmpty { server.accessLog?.log(logged) }
    }

    /// Returns whether a call failed. A caller that wants an answer no more, as while a person types, is no failure.
    private static func isFailure(_ call: EndedCall) -> Bool { call.code != .ok && call.code != .cancelled }

    /// Returns the lines to write after a call failed.
    private func failed(_ call: LoggedCall, now: NIODeadline, _ log: any AccessLog) -> [LoggedCall] {
        let lines = counters.failures.take(call, now: now)
        if let next = lines.next {
            eventLoop.scheduleTask(deadline: next) { [failures = counters.failures] in
                let rest = failures.takeRest(now: .now())
                if !rest.isEmpty { log.log(rest) }
            }
        }
        return lines.calls
    }

    private func logged(
        _ call: EndedCall,
        _ method: Int,
        nanoseconds: Int64,
        now: NIODeadline,
        sampled: Int
    ) -> LoggedCall {
        LoggedCall(
            method: server.methods.path(method),
            call: call,
            duration: .nanoseconds(nanoseconds),
            timeToFirstMessage: call.nanosecondsToFirstMessage(now: now).map { .nanoseconds($0) },
            peer: peer,
            sampled: sampled
        )
    }
}
