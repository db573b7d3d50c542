/// Calls per key in any time window. Refused calls count too.
package struct RollingQuota: Sendable {
    package struct Limit: Sendable, Hashable {
        package var calls: Int
        package var window: Duration
    }

    enum Decision: Sendable, Hashable {
        case allowed
        /// A caller that waits this long without another call is accepted again.
        case refused(retryAfter: Duration)
    }

    /// A further key evicts the key whose last call is the oldest.
    static let maximumKeys = 1000

    private let limit: Limit
    private var calls: [String: RecentCalls] = [:]

    init(_ limit: Limit) { self.limit = limit }

    /// `time` is monotonic.
    mutating func callReceived(key: String, at time: Duration) -> Decision {
        if calls[key] == nil && calls.count >= RollingQuota.maximumKeys {
            let silent = calls.min { $0.value.latest < $1.value.latest }
            if let silent { calls[silent.key] = nil }
        }
        let oldest = calls[key, default: RecentCalls()].append(time, keeping: limit.calls)
        guard let oldest, time - oldest.before < limit.window else { return .allowed }
        return .refused(retryAfter: oldest.now + limit.window - time)
    }
}

/// As many times are kept as the quota allows calls: a call is within the quota if the oldest is outside the window.
private struct RecentCalls {
    private var times: [Duration] = []
    private var next = 0
    private(set) var latest = Duration.zero

    /// Returns the oldest time before this call, and the oldest now; nil while fewer than `count` calls were made.
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
