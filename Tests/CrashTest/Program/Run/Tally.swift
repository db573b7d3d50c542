/// The counts of a run.
struct Tally: CustomStringConvertible {
    private let begin = ContinuousClock.now
    var cycles = 0
    /// Toggles that were answered.
    var toggles = 0
    /// Sent again because no answer had come.
    var resent = 0
    /// Sent once more although they had been answered.
    var repeated = 0
    /// Found in the logs and compared.
    var changes = 0
    /// The number of events that watchers were sent, and that were compared.
    var sights = 0

    var description: String {
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        let rate = Int(Double(toggles) / max(seconds, 0.001))
        return """
            \(cycles) cycles in \(Int(seconds.rounded())) s: \(toggles) toggles acknowledged (\(rate) a second), \
            \(resent) sent again unanswered, \(repeated) repeated, \(changes) changes checked, \
            \(sights) events of watchers checked
            """
    }
}
