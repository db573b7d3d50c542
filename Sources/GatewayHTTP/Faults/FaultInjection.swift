internal import MarvelDomain

package struct FaultInjection: Sendable, Hashable {
    package var latency = LatencyRange.none
    package var errorShare = Ratio.none
    /// The share of responses whose connection is closed in the middle of the body.
    package var cutShare = Ratio.none
    /// The share of responses with status 200 whose body is not JSON of the contract.
    package var wrongJSONShare = Ratio.none

    package var contradiction: String? {
        let sum = errorShare.value + cutShare.value + wrongJSONShare.value
        return sum > 1 ? "the rates of errors, cut answers and wrong JSON add up to \(sum), maximum is 1" : nil
    }
}

/// `0.25` or `25%`.
package struct Ratio: Sendable, Hashable {
    package static let none = Ratio(unchecked: 0)

    package let value: Double

    /// Nil unless a number from 0 to 1, or a percentage from 0 to 100.
    package init?(_ text: String) {
        let isPercentage = text.hasSuffix("%")
        guard let number = Double(isPercentage ? String(text.dropLast()) : text) else { return nil }
        let value = isPercentage ? number / 100 : number
        guard (0...1).contains(value) else { return nil }
        self.value = value
    }

    private init(unchecked value: Double) { self.value = value }
}

/// A fixed time, `250ms`, or a random time in a range, `50ms-2s`.
package struct LatencyRange: Sendable, Hashable {
    package static let none = LatencyRange(unchecked: .zero ... .zero)

    package let bounds: ClosedRange<Duration>

    /// The shorter time first.
    package init?(_ text: String) {
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map { Duration(text: $0) }
        guard times.count <= 2, let first = times[0], let last = times[times.count - 1], first <= last else {
            return nil
        }
        self.bounds = first...last
    }

    private init(unchecked bounds: ClosedRange<Duration>) { self.bounds = bounds }
}

extension RollingQuota.Limit {
    /// `3000/24h`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let calls = Int(parts[0]), (1...1_000_000).contains(calls),
            let window = Duration(text: parts[1]), window > .zero
        else { return nil }
        self.init(calls: calls, window: window)
    }
}
