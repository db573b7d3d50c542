/// The rule by which a store deletes the answers to old requests.
///
/// It keeps the newest answers up to a maximum number, and every answer for at least two minutes. The two minutes count
/// on this process's monotonic clock. They begin when it saw the answer or a newer one. So a jump of the wall clock
/// expires nothing. After opening a store, nothing is deleted for two minutes.
package struct AnswerExpiry: Sendable, Hashable {
    /// A client stops repeating a request before this age.
    package static let minimumAge = Duration.seconds(120)
    private static let precision = Duration.seconds(15)

    private struct Sighting: Hashable {
        var number: Int64
        var time: ContinuousClock.Instant
    }

    private let maximumCount: Int64
    /// The newest answer that reached the minimum age; 0 before the first.
    private var newestOfAge: Int64 = 0
    private var sightings: [Sighting] = []

    package init(maximumCount: Int64) { self.maximumCount = maximumCount }

    /// The number of the last answer that may be deleted, with all before it; 0 or less for no answer. Answers are
    /// numbered from 1, in the order of writing.
    package mutating func lastExpired(newest: Int64, at now: ContinuousClock.Instant) -> Int64 {
        // The numbers restarted, in another database.
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
