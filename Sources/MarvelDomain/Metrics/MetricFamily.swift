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
    package let samples: [Sample]

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
}

package struct Label: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension String {
    /// The value of a label for an unknown method: a peer's name would be another series.
    package static let otherLabel = "_OTHER"
}
