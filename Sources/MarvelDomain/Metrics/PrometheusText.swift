/// The text format of Prometheus, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats).
package enum PrometheusText {
    package static func page(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty {
            text += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples { write(sample, of: family.name, to: &text) }
        }
        return text
    }

    private static func write(_ sample: MetricFamily.Sample, of name: String, to text: inout String) {
        let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
        switch sample.value {
        case .number(let number):
            text += line(name, labels, self.number(number))
        case .histogram(let counts):
            var below = 0
            for (bucket, count) in counts.buckets.enumerated() {
                below += count
                let bound = bucket < counts.bounds.seconds.count ? self.number(counts.bounds.seconds[bucket]) : "+Inf"
                text += line(name + "_bucket", labels + ["le=\"\(bound)\""], "\(below)")
            }
            text += line(name + "_sum", labels, self.number(counts.sum))
            text += line(name + "_count", labels, "\(below)")
        }
    }

    private static func line(_ name: String, _ labels: [String], _ value: String) -> String {
        labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels.joined(separator: ","))} \(value)\n"
    }

    /// A number as Go's `ParseFloat` accepts it: whole ones without a fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let whole = Int64(exactly: value) { return "\(whole)" }
        return "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
