/// How many calls a key may make in any stretch of time of a given length. Refused calls count too.
package struct RollingQuota: Sendable {
    package struct Limit: Sendable, Hashable {
        /// At least 1.
        package var calls: Int
        package var window: Duration

        package init(calls: Int, window: Duration) {
            self.calls = calls
            self.window = window
        }
    }

    package enum Decision: Sendable, Hashable {
        case allowed
        /// The quota is used up. A caller that waits this long without another call is served again.
        case refused(retryAfter: Duration)
    }

    /// Keys beyond this many push out the one that has been silent longest.
    static let maximumKeys = 1000

    private let limit: Limit
    private var calls: [String: RecentCalls] = [:]

    package init(_ limit: Limit) { self.limit = limit }

    /// A call was made with `key`. `time` is monotonic: never less than that of the call before.
    package mutating func callReceived(key: String, at time: Duration) -> Decision {
        if calls[key] == nil && calls.count >= RollingQuota.maximumKeys {
            let silent = calls.min { $0.value.latest < $1.value.latest }
            if let silent { calls[silent.key] = nil }
        }
        let oldest = calls[key, default: RecentCalls()].append(time, keeping: limit.calls)
        guard let oldest, time - oldest.before < limit.window else { return .allowed }
        return .refused(retryAfter: oldest.now + limit.window - time)
    }
}

/// The times of a key's last calls. No more of them matter than the quota allows: the call is within the quota if the
/// oldest of that many is outside the window.
private struct RecentCalls {
    private var times: [Duration] = []
    /// Where the oldest time is, once there are as many as are kept.
    private var next = 0
    private(set) var latest = Duration.zero

    /// - Returns: Nil while fewer calls than `count` were made before; else the oldest time kept before this call, and
    ///   the oldest one kept now.
    mutating func append(_ time: Duration, keeping count: Int) -> (before: Duration, now: Duration)? {
        latest = time
        guard times.count == count else {
            times.append(time)
            return nil
        }
        let before = times[next]
        times[next] = time
        next = (next + 1) % count
        return (before, times[next])
    }
}
