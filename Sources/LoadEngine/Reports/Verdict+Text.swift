extension Verdict {
    /// The measured value, formatted for people.
    package var valueText: String {
        guard let value else { return "none" }
        return switch threshold.metric {
        case .latency, .firstPage: Figure.time(Nanoseconds(value))
        case .errors: Figure.percent(value)
        case .rate: Figure.rate(value)
        }
    }
}
