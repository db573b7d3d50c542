extension Verdict {
    /// The measured value, formatted for people.
    package var valueText: String {
        guard let value else { return "none" }
        return switch threshold.metric {
        case .latency, .firstPage: Format.time(Nanoseconds(value))
        case .errors: Format.percent(value)
        case .rate: Format.rate(value)
        }
    }
}
