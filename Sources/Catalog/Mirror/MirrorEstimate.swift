/// How long a mirror will take.
package struct MirrorEstimate: Sendable, Hashable {
    private var answers = 0
    private var time = Duration.zero

    package init() {}

    /// An answer came after that time, in which it was waited for and kept.
    package mutating func answered(after duration: Duration) {
        answers += 1
        time += duration
    }

    /// - Parameters:
    ///   - answersLeft: That are still wanted.
    ///   - callsLeft: That may be made now.
    ///   - callsPerDay: That may be made in 24 hours.
    /// - Returns: Nil before the first answer.
    package func timeLeft(answersLeft: Int, callsLeft: Int, callsPerDay: Int) -> Duration? {
        guard answers > 0 else { return nil }
        let pace = time / answers
        guard answersLeft > callsLeft else { return pace * answersLeft }
        // The last of a day's calls is followed by a wait for the first to come back.
        let later = answersLeft - max(callsLeft, 0)
        let days = (later + callsPerDay - 1) / callsPerDay
        return .seconds(86_400) * days + pace * (later - (days - 1) * callsPerDay)
    }
}
