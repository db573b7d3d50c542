internal import LoadEngine
internal import LoadGenerator

extension LoadSnapshot {
    /// Returns one line for a display.
    ///
    /// - Parameters:
    ///   - earlier: The previous snapshot, since which the rate is measured; nil to measure since the start.
    ///   - duration: The planned duration of the run, if known.
    ///   - total: The planned number of calls, if known.
    /// - Returns: Rate, 99th percentile, errors, and the remaining time or calls.
    func line(since earlier: LoadSnapshot?, duration: Duration?, total: Int?) -> String {
        guard !isWarmingUp else { return "Warming up…" }
        let earlier = earlier.flatMap { $0.isWarmingUp ? nil : $0 } ?? LoadSnapshot()
        let seconds = (elapsed - earlier.elapsed).inSeconds
        let rate = seconds > 0 ? Double(succeeded - earlier.succeeded) / seconds : 0
        var parts = [
            "\(Format.rate(rate)) calls/s",
            "p99 \(recent.latency(atPercentile: 99).map(Format.time) ?? "-")",
            "\(Format.count(failures)) \(failures == 1 ? "error" : "errors")",
        ]
        if let duration {
            let left = max(0, (duration - .nanoseconds(elapsed)).inSeconds)
            parts.append("\(Format.decimal(left.rounded(.up), digits: 0)) s left")
        }
        if let total { parts.append("\(Format.count(calls)) of \(Format.count(total)) calls") }
        return parts.joined(separator: " · ")
    }
}
