package import MarvelDomain
internal import Synchronization

/// Totals since the start of the server, over all protocols.
package struct MethodTotals: Sendable, Hashable {
    package var calls: Int
    /// Calls that failed by a fault of the server, or of what it depends on.
    package var failures: Int
    package var durations: HistogramCounts
    package var firstMessages: HistogramCounts

    package init(
        calls: Int = 0,
        failures: Int = 0,
        durations: HistogramCounts = HistogramCounts(.callDuration),
        firstMessages: HistogramCounts = HistogramCounts(.callDuration)
    ) {
        self.calls = calls
        self.failures = failures
        self.durations = durations
        self.firstMessages = firstMessages
    }

    package mutating func add(_ other: MethodTotals) {
        calls += other.calls
        failures += other.failures
        durations.add(other.durations)
        firstMessages.add(other.firstMessages)
    }

    func since(_ earlier: MethodTotals) -> MethodTotals {
        MethodTotals(
            calls: calls - earlier.calls,
            failures: failures - earlier.failures,
            durations: durations.since(earlier.durations),
            firstMessages: firstMessages.since(earlier.firstMessages)
        )
    }
}

package final class ActivityHistory: Sendable {
    package static let interval = Duration.seconds(5)
    /// Five minutes.
    private static let sampleCount = 61
    /// The page's rates and latencies cover a minute.
    private static let windowCount = 13

    private struct Sample {
        let time: ContinuousClock.Instant
        let totals: [String: MethodTotals]
        let all: MethodTotals

        init(_ totals: [String: MethodTotals], at time: ContinuousClock.Instant) {
            self.time = time
            self.totals = totals
            all = totals.values.reduce(into: MethodTotals()) { $0.add($1) }
        }
    }

    private let samples = Mutex<[Sample]>([])

    package init() {}

    package func add(_ totals: [String: MethodTotals], at now: ContinuousClock.Instant) {
        samples.withLock { samples in
            samples.append(Sample(totals, at: now))
            if samples.count > Self.sampleCount { samples.removeFirst() }
        }
    }

    package func recent(_ totals: [String: MethodTotals], at now: ContinuousClock.Instant) -> RecentActivity {
        let samples = samples.withLock(\.self)
        let latest = Sample(totals, at: now)
        let first = samples.suffix(Self.windowCount).first ?? latest
        let methods = totals.map { name, totals in
            RecentActivity.Method(name: name, total: totals, recent: totals.since(first.totals[name] ?? MethodTotals()))
        }
        let steps = Array(zip(samples, samples.dropFirst()))
        return RecentActivity(
            seconds: max(0, (now - first.time) / .seconds(1)),
            all: RecentActivity.Method(name: "", total: latest.all, recent: latest.all.since(first.all)),
            methods: methods.sorted { $0.name < $1.name },
            rates: steps.map { Double($1.all.calls - $0.all.calls) / max(0.001, ($1.time - $0.time) / .seconds(1)) },
            medians: steps.map { $1.all.durations.since($0.all.durations).quantile(0.5) ?? 0 }
        )
    }
}

package struct RecentActivity: Sendable, Hashable {
    package struct Method: Sendable, Hashable {
        package let name: String
        package let total: MethodTotals
        package let recent: MethodTotals
    }

    package let seconds: Double
    package let all: Method
    package let methods: [Method]
    /// Per second, in each interval, oldest first.
    package let rates: [Double]
    /// The medians of the same intervals, in seconds.
    package let medians: [Double]

    package func rate(_ totals: MethodTotals) -> Double { seconds > 0 ? Double(totals.calls) / seconds : 0 }
}
