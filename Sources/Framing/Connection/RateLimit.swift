package import NIOCore

/// How often something may happen within a window of time, and how often it has.
///
/// Fixed memory and no allocation, however often it happens: a window begins with the first event after the one before
/// it ended, and only a count is kept. Whoever stays within the limit in every stretch of time never exceeds it;
/// whoever does not may have done so up to twice as often, across the border of two windows, before it shows.
package struct RateLimit: Sendable, Hashable {
    /// What is allowed within one window.
    package let count: Int
    package let window: Duration
    private var seen = 0
    private var windowEnd = NIODeadline.distantPast

    /// - Parameters:
    ///   - count: What is allowed within one window; 0 allows nothing.
    ///   - window: From the first event on.
    package init(count: Int, window: Duration) {
        self.count = count
        self.window = window
    }

    /// It happened.
    ///
    /// - Parameter now: When; does not go back.
    /// - Returns: Whether that was more often than allowed.
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
