internal import MarvelDomain

/// A condition on a measured value of a run: `p99<5ms`, `first-page-p99<5ms`, `errors<0.1%`, `rps>1000`.
package struct Threshold: Sendable, Hashable, CustomStringConvertible {
    package enum Metric: Sendable, Hashable {
        /// The limit is in nanoseconds.
        case latency(Statistic)
        /// Applies to streams and walks; the limit is in nanoseconds.
        case firstPage(Statistic)
        /// The limit is a ratio.
        case errors
        /// Succeeded calls per second.
        case rate

        package var isOfFirstPage: Bool {
            if case .firstPage = self { true } else { false }
        }
    }

    package enum Statistic: Sendable, Hashable {
        /// Above 0 and below 100.
        case percentile(Double)
        case maximum
        case mean
    }

    package enum Comparison: String, Sendable, Hashable, CaseIterable {
        case atMost = "<="
        case atLeast = ">="
        case below = "<"
        case above = ">"
    }

    package let metric: Metric
    package let comparison: Comparison
    package let limit: Double
    package let description: String

    /// Parses `<metric><comparison><limit>`. A latency's limit is a time (ns, us, ms, s), that of errors a percentage.
    package init?(_ text: String) {
        // The longer signs come first, because `<=` begins with `<`.
        guard let comparison = Comparison.allCases.first(where: { text.contains($0.rawValue) }),
            let sign = text.firstRange(of: comparison.rawValue),
            let metric = Metric(text[..<sign.lowerBound]),
            let limit = metric.limit(text[sign.upperBound...])
        else { return nil }
        self.metric = metric
        self.comparison = comparison
        self.limit = limit
        self.description = text
    }

    /// False for a missing value, such as the latency of no calls.
    package func holds(_ value: Double?) -> Bool {
        guard let value else { return false }
        return switch comparison {
        case .atMost: value <= limit
        case .atLeast: value >= limit
        case .below: value < limit
        case .above: value > limit
        }
    }
}

extension Threshold.Metric {
    fileprivate init?(_ text: Substring) {
        switch text {
        case "errors": self = .errors
        case "rps": self = .rate
        default:
            let firstPage = "first-page-"
            let isOfFirstPage = text.hasPrefix(firstPage)
            guard let statistic = Threshold.Statistic(isOfFirstPage ? text.dropFirst(firstPage.count) : text) else {
                return nil
            }
            self = isOfFirstPage ? .firstPage(statistic) : .latency(statistic)
        }
    }

    fileprivate func limit(_ text: Substring) -> Double? {
        switch self {
        case .latency, .firstPage: Duration(text: text.replacing("µs", with: "us")).map { $0 / .nanoseconds(1) }
        case .errors: text.last == "%" ? decimal(text.dropLast()).map { $0 / 100 } : nil
        case .rate: decimal(text)
        }
    }
}

extension Threshold.Statistic {
    fileprivate init?(_ text: Substring) {
        switch text {
        case "max": self = .maximum
        case "mean": self = .mean
        default:
            guard text.first == "p", let percentile = decimal(text.dropFirst()), percentile > 0, percentile < 100 else {
                return nil
            }
            self = .percentile(percentile)
        }
    }
}

/// Digits, optionally with a point between them.
private func decimal(_ text: Substring) -> Double? {
    guard let first = text.first, let last = text.last, first != ".", last != ".",
        text.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." })
    else { return nil }
    return Double(text)
}

package struct Verdict: Sendable, Hashable {
    package var threshold: Threshold
    /// In the metric's unit: nanoseconds, a ratio, or calls per second; nil if the run has no such value.
    package var value: Double?
    package var holds: Bool

    package init(_ threshold: Threshold, in result: RunResult) {
        self.threshold = threshold
        self.value = result.value(of: threshold.metric)
        self.holds = threshold.holds(value)
    }
}
