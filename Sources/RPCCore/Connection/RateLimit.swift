package import NIOCore

/// A limit for the number of events within a window of time, and the count of the current window.
///
/// It takes fixed memory and no allocation: a window begins with the first event after the previous window ended, and
/// only a count is kept. A peer that stays within the limit in every period of the window's length never exceeds it. A
/// peer that does not can reach up to twice the limit, across the border of two windows, before it is noticed.
package struct RateLimit: Sendable, Hashable {
    /// The number of events that are allowed within one window.
    package let count: Int
    package let window: Duration
    private var seen = 0
    private var windowEnd = NIODeadline.distantPast

    /// - Parameters:
    ///   - count: The number of events that are allowed within one window; 0 allows nothing.
    ///   - window: The length of a window, from its first event on.
    package init(count: Int, window: Duration) {
        self.count = count
        self.window = window
    }

    /// Counts one event.
    ///
    /// - Parameter now: The time of the event; does not go back.
    /// - Returns: Whether the event exceeded the limit.
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
