/// A pace of events: a number of them a second, and a burst of those that come together.
///
/// It is the generic cell rate algorithm (ITU-T I.371): all that is kept is the time at which the next event is due. A caller
/// that has been quiet may go ahead of that time by as much as the burst takes.
package struct CallPace: Sendable, Hashable {
    /// A time in nanoseconds of some clock; 0 before the first event.
    package typealias Time = Double

    /// The time that one event takes, in nanoseconds; 0 if there is no limit.
    private let interval: Double
    /// The nanoseconds that the due time may lie ahead.
    private let tolerance: Double

    /// - Parameters:
    ///   - eventsPerSecond: The events of each second; 0 sets no limit.
    ///   - burst: The events that may come together after a pause, at least 1.
    package init(eventsPerSecond: Int, burst: Int) {
        interval = eventsPerSecond > 0 ? 1e9 / Double(eventsPerSecond) : 0
        tolerance = interval * Double(max(burst, 1))
    }

    package var isLimited: Bool { interval > 0 }

    /// Returns the due time after events that happen now.
    package func due(after count: Int, due: Time, now: Time) -> Time { max(due, now) + interval * Double(count) }

    /// Returns the nanoseconds after which a due time lies no further ahead than it may; nil if it does not now.
    package func wait(due: Time, now: Time) -> Int64? {
        let excess = due - now - tolerance
        // Times are rounded: a fraction of a microsecond is no excess.
        return excess >= 1_000 ? Int64(min(excess, Self.longestWait).rounded(.up)) : nil
    }

    /// An hour, in nanoseconds.
    private static let longestWait = 3.6e12
}
