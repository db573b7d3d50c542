package struct MetricFamily: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// A number that only grows until the process ends. Its name ends in `_total`.
        case counter
        case gauge
        case histogram
    }

    package let name: String
    package let kind: Kind
    /// In one line.
    package let help: String
    package var samples: [Sample]

    package struct Sample: Sendable, Hashable {
        package let labels: [Label]
        package let value: Value

        package init(_ labels: [Label] = [], _ value: Value) {
            self.labels = labels
            self.value = value
        }
    }

    package enum Value: Sendable, Hashable {
        case number(Double)
        case histogram(HistogramCounts)
    }

    package init(_ name: String, _ kind: Kind, help: String, samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    /// The maximum number of samples of one metric. Label values are closed sets, so it is never reached; it bounds the
    /// page if a set is not closed.
    package static let maximumSamples = 4_096

    mutating func append(_ others: [Sample]) {
        samples += others.prefix(Self.maximumSamples - samples.count)
    }
}

package struct Label: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A closed set of label values. Any other value, such as a peer's method name, is replaced.
package struct LabelDomain: Sendable {
    package static let other = "_OTHER"

    private let values: Set<String>

    package init(_ values: some Sequence<String>) { self.values = Set(values) }

    /// Returns the value, or `_OTHER` if the set lacks it.
    package func value(_ text: String) -> String { values.contains(text) ? text : Self.other }
}
