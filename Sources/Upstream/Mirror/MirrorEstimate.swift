/// An estimate of the time that a mirror still needs.
package struct MirrorEstimate: Sendable, Hashable {
    private var answers = 0
    private var time = Duration.zero

    package init() {}

    /// Adds an answer and the time that it took to fetch and store it.
    package mutating func answered(after duration: Duration) {
        answers += 1
        time += duration
    }

    /// Estimates the remaining time.
    ///
    /// - Parameters:
    ///   - answersLeft: The number of answers that are still needed.
    ///   - callsLeft: The number of calls that may be made now.
    ///   - callsPerDay: The number of calls that may be made in 24 hours.
    /// - Returns: The time; nil before the first answer.
    package func timeLeft(answersLeft: Int, callsLeft: Int, callsPerDay: Int) -> Duration? {
        guard answers > 0 else { return nil }
        let pace = time / answers
        guard answersLeft > callsLeft else { return pace * answersLeft }
        // After the last call of a day the mirror waits until the first one is a day old.
        let later = answersLeft - max(callsLeft, 0)
        let days = (later + callsPerDay - 1) / callsPerDay
        return .seconds(86_400) * days + pace * (later - (days - 1) * callsPerDay)
    }
}
