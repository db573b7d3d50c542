internal import MarvelClient
internal import MarvelDomain

extension Timestamp {
    /// The time for people: `2026-01-31 09:05:00 UTC`.
    var readable: String {
        let time = CivilTime(seconds: seconds)
        return "\(time.date) \(time.timeOfDay) UTC"
    }
}
