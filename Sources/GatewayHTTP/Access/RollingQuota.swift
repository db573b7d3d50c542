/// Calls per key in any time window. Refused calls count too.
package struct RollingQuota: Sendable {
    package struct Limit: Sendable, Hashable {
        package var calls: Int
        package var window: Duration
    }

    /// A further key evicts the key whose last call is the oldest.
    static let maximumKeys = 1000

    private let limit: Limit
    private var calls: [String: RecentCalls] = [:]

    init(_ limit: Limit) { self.limit = limit }

    /// `time` is monotonic.
    mutating func allowsCall(key: String, at time: Duration) -> Bool {
        if calls[key] == nil && calls.count >= RollingQuota.maximumKeys {
            let silent = calls.min { $0.value.latest < $1.value.latest }
            if let silent { calls[silent.key] = nil }
        }
        let oldest = calls[key, default: RecentCalls()].append(time, keeping: limit.calls)
        return oldest.map { time - $0 >= limit.window } ?? true
    }
}

/// As many times are kept as the quota allows calls: a call is within the quota if the oldest is outside the window.
private struct RecentCalls {
    private var times: [Duration] = []
    private var next = 0
    private(set) var latest = Duration.zero

    /// Returns the oldest time before this call; nil while fewer than `count` calls were made.
    mutating func append(_ time: Duration, keeping count: Int) -> Duration? {
        latest = time
        guard times.count == count else {
            times.append(time)
            return nil
        }
        defer { next = (next + 1) % count }
        let oldest = times[next]
        times[next] = time
        return oldest
    }
}
