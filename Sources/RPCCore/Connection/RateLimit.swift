package import NIOCore

/// A limit on the number of events within a window of time, and the count of the current window.
///
/// It takes fixed memory and no allocation. A window begins with the first event after the previous window. A peer that
/// stays within the limit in every such period never exceeds it. Another can reach up to twice the limit, across the
/// border of two windows.
package struct RateLimit: Sendable, Hashable {
    package let count: Int
    package let window: Duration
    private var seen = 0
    private var windowEnd = NIODeadline.distantPast

    /// A `count` of 0 allows nothing. A `window` begins with its first event.
    package init(count: Int, window: Duration) {
        self.count = count
        self.window = window
    }

    /// Counts one event, and returns whether it exceeded the limit. `now` never goes back.
    package mutating func isExceeded(now: NIODeadline) -> Bool {
        if windowEnd <= now {
            seen = 0
            windowEnd = now + TimeAmount(window)
        }
        guard seen < count else { return true }
        seen += 1
        return false
    }
}
