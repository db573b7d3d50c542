internal import MarvelClient
internal import MarvelDomain

extension Timestamp {
    /// The time for people: `2026-01-31 09:05:00 UTC`.
    var readable: String {
        let time = CivilTime(seconds: seconds)
        return "\(time.date) \(time.timeOfDay) UTC"
    }
}

extension Duration {
    /// An approximate text for people: `250 ms`, `2 s`, `3 min`, `5 h`, `2 days`.
    var inWords: String {
        let milliseconds = self / .milliseconds(1)
        let steps: [(limit: Double, unit: Double, name: String)] = [
            (1_000, 1, "ms"), (120_000, 1_000, "s"), (7_200_000, 60_000, "min"), (172_800_000, 3_600_000, "h"),
        ]
        let step = steps.first { milliseconds < $0.limit } ?? (.infinity, 86_400_000, "days")
        return "\(Int((milliseconds / step.unit).rounded())) \(step.name)"
    }
}
