/// All metrics of a program, read by functions on request, so that no number is stored twice.
///
///     registry.gauge("marvel_connections", "Open connections.") { server.connectionCount }
///     registry.counters("marvel_quota_rejections_total", "Calls over a quota.", by: "quota") { gate.rejections }
package struct MetricsRegistry: Sendable {
    private var sources: [@Sendable () -> [MetricFamily]] = []

    package init() {}

    package mutating func add(_ source: @escaping @Sendable () -> [MetricFamily]) { sources.append(source) }

    package mutating func counter(_ name: String, _ help: String, read: @escaping @Sendable () -> Int) {
        add { [MetricFamily(name, .counter, help: help, samples: [.init([], .number(Double(read())))])] }
    }

    /// A gauge without a number has no sample.
    package mutating func gauge(_ name: String, _ help: String, read: @escaping @Sendable () -> Double?) {
        add { [MetricFamily(name, .gauge, help: help, samples: read().map { [.init([], .number($0))] } ?? [])] }
    }

    package mutating func counters(
        _ name: String,
        _ help: String,
        by label: String,
        read: @escaping @Sendable () -> [(value: String, count: Int)]
    ) {
        add {
            let samples = read().map { MetricFamily.Sample([Label(label, $0.value)], .number(Double($0.count))) }
            return [MetricFamily(name, .counter, help: help, samples: samples)]
        }
    }

    package mutating func histogram(_ name: String, _ help: String, read: @escaping @Sendable () -> HistogramCounts) {
        add { [MetricFamily(name, .histogram, help: help, samples: [.init([], .histogram(read()))])] }
    }

    /// Reads all metrics. Each has a name of its own.
    package func read() -> [MetricFamily] { sources.flatMap { $0() } }
}
