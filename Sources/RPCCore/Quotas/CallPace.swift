/// A rate limit: a number of events per second, and a burst.
///
/// It is the generic cell rate algorithm (ITU-T I.371). Its only state is the time when the next event is due. After a
/// quiet time a caller may be ahead of it by the length of a burst.
package struct CallPace: Sendable, Hashable {
    /// In nanoseconds of some clock; 0 before the first event.
    package typealias Time = Double

    /// In nanoseconds; 0 for no limit.
    private let interval: Double
    /// The nanoseconds that the due time may lie ahead.
    private let tolerance: Double

    /// An `eventsPerSecond` of 0 sets no limit. `burst` events may come together after a pause, at least 1.
    package init(eventsPerSecond: Int, burst: Int) {
        interval = eventsPerSecond > 0 ? 1e9 / Double(eventsPerSecond) : 0
        tolerance = interval * Double(max(burst, 1))
    }

    package var isLimited: Bool { interval > 0 }

    /// The due time after `count` events now.
    package func due(after count: Int, due: Time, now: Time) -> Time { max(due, now) + interval * Double(count) }

    /// The nanoseconds until the due time is within the tolerance; nil if it already is.
    package func wait(due: Time, now: Time) -> Int64? {
        let excess = due - now - tolerance
        // Times are rounded: ignore a fraction of a microsecond.
        return excess >= 1_000 ? Int64(min(excess, Self.longestWait).rounded(.up)) : nil
    }

    /// An hour, in nanoseconds.
    private static let longestWait = 3.6e12
}
