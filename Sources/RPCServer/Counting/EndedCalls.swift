internal import NIOCore
internal import RPCCore

/// The calls of a connection that have ended in this turn, until they are counted at its end.
///
/// The clock is read once for all of them: a call lasts from the read that brought it to the write that answers it, without the
/// pauses of its caller. It is an object, because a value of so many parts would be copied with each call.
final class EndedCalls {
    private let methods: MethodTable
    /// The log of calls; nil if they are not logged.
    private let log: (any AccessLog)?
    /// The duration from which a call is always logged.
    private let slowNanoseconds: Int64
    private let eventLoop: any EventLoop
    private let counters: EventCounters
    private let peer: SocketAddress?
    /// The calls, each with the number of those that its line in the log stands for; 0 if it gets one only for a fault.
    private var calls: [(call: EndedCall, sampled: Int)] = []

    init(of server: ServerContext, on channel: any Channel) {
        methods = server.methods
        log = server.accessLog
        slowNanoseconds = server.accessLog.map { TimeAmount($0.rules.slowCall).nanoseconds } ?? .max
        eventLoop = channel.eventLoop
        counters = server.counters(of: channel.eventLoop)
        peer = server.accessLog == nil ? nil : channel.remoteAddress
    }

    func append(_ call: consuming EndedCall) { calls.append((call, counters.sampler.take())) }

    /// Notes that the caller of the last call gets an error in place of the answer.
    func lastAnswerReplaced(by error: RPCError) {
        if !calls.isEmpty { calls[calls.count - 1].call.answerReplaced(by: error) }
    }

    var isEmpty: Bool { calls.isEmpty }

    /// Counts the calls, and those that have ended in a runner, and gives those that are to be logged to the log.
    func count(and runner: inout CallRunner, now: NIODeadline) {
        var logged: [LoggedCall] = []
        for ended in calls { count(ended.call, sampled: ended.sampled, now: now, loggedIn: &logged) }
        runner.takeEnded { call in count(call, sampled: counters.sampler.take(), now: now, loggedIn: &logged) }
        calls.removeAll(keepingCapacity: calls.count <= Self.keptCapacity)
        if !logged.isEmpty { log?.log(logged) }
        counters.sampler.turnEnded(now: now)
    }

    /// The number of calls whose memory a connection keeps for the next turn.
    private static let keptCapacity = 16

    /// The lines of a turn up to which each slow call gets one. A turn that began late makes all its calls slow.
    private static let maximumSlowLines = 16

    private func count(_ call: EndedCall, sampled: Int, now: NIODeadline, loggedIn lines: inout [LoggedCall]) {
        let method = methods.number(of: call.method)
        let duration = call.nanoseconds(now: now)
        let isWatch = call.method?.isWatch == true
        counters.calls.add(
            call.system,
            method: method,
            call.code,
            nanoseconds: isWatch ? nil : duration,
            toFirstMessage: isWatch ? nil : call.nanosecondsToFirstMessage(now: now)
        )
        if let event = call.reason.flatMap(CallerEvent.init) { counters.count(event) }
        guard log != nil else { return }
        // A watch lasts as long as its caller wants.
        let isSlow = !isWatch && duration >= slowNanoseconds && lines.count < Self.maximumSlowLines
        if Self.isFailure(call), !isSlow {
            lines += failed(logged(call, method, nanoseconds: duration, now: now, sampled: 1), now: now)
        } else if isSlow || sampled > 0 {
            lines.append(logged(call, method, nanoseconds: duration, now: now, sampled: isSlow ? 1 : sampled))
        }
    }

    /// Returns whether a call failed. A caller that wants an answer no more, as while a person types, is no failure.
    private static func isFailure(_ call: EndedCall) -> Bool { call.code != .ok && call.code != .cancelled }

    /// Returns the lines to write after a call failed.
    private func failed(_ call: LoggedCall, now: NIODeadline) -> [LoggedCall] {
        let lines = counters.failures.take(call, now: now)
        if let next = lines.next {
            eventLoop.scheduleTask(deadline: next) { [log, failures = counters.failures] in
                let rest = failures.takeRest(now: .now())
                if !rest.isEmpty { log?.log(rest) }
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
            method: methods.path(method),
            call: call,
            duration: .nanoseconds(nanoseconds),
            timeToFirstMessage: call.nanosecondsToFirstMessage(now: now).map { .nanoseconds($0) },
            peer: peer,
            sampled: sampled
        )
    }
}
