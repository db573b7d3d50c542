extension LoadReport {
    /// The run over time, with a line for each interval by due time. The columns: seconds from the start; succeeded
    /// calls, pages and failures per second; latencies in milliseconds, empty without calls.
    package var csv: String {
        var text = "seconds,calls_per_second,pages_per_second,errors_per_second,p50_ms,p90_ms,p99_ms,max_ms\n"
        for point in points {
            let interval = point.interval
            let time = Format.decimal(point.start.inSeconds, digits: 1)
            let rates = [interval.succeeded, interval.pages, interval.failures].map { count in
                Format.decimal(point.perSecond(count), digits: 1)
            }
            let latencies = [50.0, 90, 99, 100].map { percentile in
                interval.latency(atPercentile: percentile).map { Format.decimal(Double($0) / 1e6, digits: 3) } ?? ""
            }
            text += ([time] + rates + latencies).joined(separator: ",") + "\n"
        }
        return text
    }

    /// The latency distribution for HdrHistogram's tools, in milliseconds.
    package var hgrm: String { result.overall.latency.text }

    package var points: [Timeline.Point] { points(of: result.overall) }

    func points(of tally: OperationTally) -> [Timeline.Point] {
        // No calls were due after this time, although the last responses came later.
        let end = min(result.elapsed, plan.duration ?? result.elapsed)
        return tally.timeline.points(elapsed: end.inNanoseconds)
    }
}
