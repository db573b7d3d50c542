/// The rule by which a store deletes the answers to old requests: it keeps the newest answers up to a maximum number, and
/// every answer for at least two minutes.
///
/// The two minutes are those of this process's monotonic clock, from the moment at which the process saw the answer, or a
/// newer one. The wall clock is no part of the rule: one that jumps makes no answer older. After a store is opened, nothing is
/// deleted for two minutes.
package struct AnswerExpiry: Sendable, Hashable {
    /// The minimum age of an answer. A client stops repeating a request before that.
    package static let minimumAge = Duration.seconds(120)
    /// The minimum time between two moments that are remembered.
    private static let precision = Duration.seconds(15)

    /// The newest answer that was seen at a moment.
    private struct Sighting: Hashable {
        var number: Int64
        var time: ContinuousClock.Instant
    }

    private let maximumCount: Int64
    /// The newest answer that is known for the minimum age; 0 if there is none.
    private var newestOfAge: Int64 = 0
    /// The sightings of the last two minutes, oldest first.
    private var sightings: [Sighting] = []

    /// - Parameter maximumCount: The maximum number of answers that are older than `minimumAge`, 0 or more.
    package init(maximumCount: Int64) { self.maximumCount = maximumCount }

    /// Finds the answers that may be deleted.
    ///
    /// - Parameters:
    ///   - newest: The number of the newest answer. Answers are numbered from 1, in the order in which they were written.
    ///   - now: The time on the monotonic clock.
    /// - Returns: The number of the last answer that may be deleted, with all before it; 0 or less if there is none.
    package mutating func lastExpired(newest: Int64, at now: ContinuousClock.Instant) -> Int64 {
        // The numbers have begun anew, in another database.
        if newest < sightings.last?.number ?? newestOfAge { (newestOfAge, sightings) = (0, []) }
        if sightings.last.map({ $0.time + Self.precision <= now }) ?? true {
            sightings.append(Sighting(number: newest, time: now))
        }
        while let oldest = sightings.first, oldest.time + Self.minimumAge <= now {
            newestOfAge = oldest.number
            sightings.removeFirst()
        }
        return min(newestOfAge, max(0, newest) - maximumCount)
    }
}
