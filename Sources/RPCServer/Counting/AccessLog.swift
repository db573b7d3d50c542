package import NIOCore
package import RPCCore
internal import Synchronization

/// A log of calls. It is called on event loops, so it must not wait.
package protocol AccessLog: AnyObject, Sendable {
    /// The rules by which calls are logged.
    var rules: AccessLogRules { get }

    /// Takes the calls that ended in one turn of a connection and are to be logged.
    func log(_ calls: [LoggedCall])
}

/// The rules by which calls are logged: all that were slow; of those of a method that failed with the same cause so many in a
/// window of time, and one line for the others of the window; and of the others so many a second and then a sample.
package struct AccessLogRules: Sendable, Hashable {
    /// The number of calls of a method with the same error in a window that have a line each, shared by the event loops.
    package var failuresPerWindow = 50
    package var failureWindow = Duration.seconds(10)
    /// The duration from which a call is always logged.
    package var slowCall = Duration.milliseconds(500)
    /// The number of other calls a second that are logged, shared by the event loops.
    package var callsPerSecond = 100
    /// The number of calls of which one is logged, when that number is reached.
    package var sampling = 10_000

    package init() {}
}

/// A call as it is logged.
package struct LoggedCall: Sendable {
    /// The full name of the method; nil if the call named none that there is.
    package let method: String?
    package let call: EndedCall
    /// The server's own time: without the pauses of the caller.
    package let duration: Duration
    /// The time to the first message of a stream; nil if there was none.
    package let timeToFirstMessage: Duration?
    package let peer: SocketAddress?
    /// The number of calls that it stands for, if it was taken as a sample; otherwise 1.
    package private(set) var sampled: Int

    fileprivate func sampled(_ count: Int) -> LoggedCall {
        var call = self
        call.sampled = count
        return call
    }
}

/// The lines of the failed calls of one event loop. Of those of a method with the same error the first of a window are logged,
/// and the others together, with their number: a peer that is refused again and again fills no disk.
final class FailureSampler: Sendable {
    /// The errors that are told apart. The server's own code names them and the methods, so there are few.
    private struct Cause: Hashable {
        var method: String?
        var code: StatusCode
        var reason: ErrorReason?
    }

    private struct Window {
        var end: NIODeadline
        var logged = 0
        /// The last of the calls that are not logged.
        var last: LoggedCall?
        var count = 0

        var rest: LoggedCall? { last?.sampled(count) }
    }

    private let maximum: Int
    private let window: TimeAmount
    private let windows = Mutex<[Cause: Window]>([:])

    /// - Parameters:
    ///   - rules: The rules; nil if no calls are logged.
    ///   - loops: The number of event loops that share the lines.
    init(_ rules: AccessLogRules?, loops: Int) {
        maximum = rules.map { max(1, $0.failuresPerWindow / max(1, loops)) } ?? 0
        window = TimeAmount(rules?.failureWindow ?? .zero)
    }

    /// The lines to write, and the time at which to ask for the rest.
    struct Lines {
        var calls: [LoggedCall] = []
        /// The end of the window; nil if nobody needs to ask at that time.
        var next: NIODeadline?
    }

    /// Takes a call that failed.
    func take(_ call: LoggedCall, now: NIODeadline) -> Lines {
        let cause = Cause(method: call.method, code: call.call.code, reason: call.call.reason)
        return windows.withLock { windows in
            var lines = Lines()
            var window = windows[cause] ?? Window(end: now + self.window)
            if window.end <= now {
                if let rest = window.rest { lines.calls.append(rest) }
                window = Window(end: now + self.window)
            }
            if window.logged < maximum {
                window.logged += 1
                lines.calls.append(call)
            } else {
                if window.count == 0 { lines.next = window.end }
                window.count += 1
                window.last = call
            }
            windows[cause] = window
            return lines
        }
    }

    /// Removes the windows that have ended, and returns the lines of their calls that were not logged.
    func takeRest(now: NIODeadline) -> [LoggedCall] {
        windows.withLock { windows in
            let ended = windows.filter { $0.value.end <= now }
            for cause in ended.keys { windows[cause] = nil }
            return ended.values.compactMap(\.rest)
        }
    }
}

/// The choice of the calls of one event loop that are logged though they succeeded in time. Only that loop changes it.
///
/// Most calls only decrement a number: the time is looked at once in a turn.
package final class AccessSampler: Sendable {
    private let callsPerSecond: Int
    private let sampling: Int
    /// The number of calls before the next one that is logged.
    private let remaining: Atomic<Int>
    /// The number of calls that were logged in this second.
    private let logged = Atomic(0)
    private let secondBegan = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - rules: The rules; nil if no calls are logged.
    ///   - loops: The number of event loops that share the rate.
    init(_ rules: AccessLogRules?, loops: Int) {
        callsPerSecond = rules.map { max(1, $0.callsPerSecond / max(1, loops)) } ?? 0
        sampling = rules?.sampling ?? 0
        remaining = Atomic(rules == nil ? .max : 0)
    }

    /// Decides on a call. It is asked once for each.
    ///
    /// - Returns: The number of calls that its line stands for; 0 if it gets none.
    func take() -> Int {
        let before = remaining.load(ordering: .relaxed)
        guard before > 0 else { return takeLogged() }
        remaining.store(before - 1, ordering: .relaxed)
        return 0
    }

    private func takeLogged() -> Int {
        let before = logged.load(ordering: .relaxed)
        logged.store(before + 1, ordering: .relaxed)
        if before + 1 >= callsPerSecond { remaining.store(sampling - 1, ordering: .relaxed) }
        return before < callsPerSecond ? 1 : sampling
    }

    /// Lets calls be logged again when a second has passed.
    func turnEnded(now: NIODeadline) {
        guard callsPerSecond > 0, now.uptimeNanoseconds &- secondBegan.load(ordering: .relaxed) >= 1_000_000_000 else {
            return
        }
        secondBegan.store(now.uptimeNanoseconds, ordering: .relaxed)
        logged.store(0, ordering: .relaxed)
        remaining.store(0, ordering: .relaxed)
    }
}
