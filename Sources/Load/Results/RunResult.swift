package struct RunResult: Sendable {
    package enum Ending: String, Sendable, Hashable {
        case completed
        case stopped
        /// No server responded at the end of the run, or most calls reached no server.
        case serverLost = "server_lost"
    }

    package let recorder: Recorder
    package let overall: OperationTally
    /// From the first start to the last response.
    package let elapsed: Duration
    package let ending: Ending
    package let testerCPU: Duration

    package init(recorder: Recorder, elapsed: Duration, ending: Ending, testerCPU: Duration) {
        self.recorder = recorder
        self.overall = recorder.overall
        self.elapsed = elapsed
        self.ending = ending
        self.testerCPU = testerCPU
    }

    package var needsServerCheck: Bool { ending == .completed && (overall.failed > 0 || overall.succeeded == 0) }

    package var wasMostlyUnreachable: Bool { overall.unreachable > overall.calls / 2 }

    /// The server counts as lost if it did not respond, or if most calls reached none.
    package func checked(serverResponds: Bool) -> RunResult {
        guard needsServerCheck, !serverResponds || wasMostlyUnreachable else { return self }
        return RunResult(recorder: recorder, elapsed: elapsed, ending: .serverLost, testerCPU: testerCPU)
    }

    package var errorRatio: Double {
        overall.calls == 0 ? 0 : Double(overall.failed) / Double(overall.calls)
    }

    package var callsPerSecond: Double { perSecond(overall.succeeded) }
    package var pagesPerSecond: Double { perSecond(overall.pages) }
    package var bytesPerSecond: Double { perSecond(overall.bytes) }

    package func perSecond(_ count: Int) -> Double {
        elapsed > .zero ? Double(count) / elapsed.inSeconds : 0
    }

    package var testerCores: Double { elapsed > .zero ? testerCPU / elapsed : 0 }

    package func value(of metric: Threshold.Metric) -> Double? {
        switch metric {
        case .latency(let statistic): overall.latency.value(of: statistic).map(Double.init)
        case .firstPage(let statistic): overall.firstPage?.value(of: statistic).map(Double.init)
        case .errors: overall.calls == 0 ? nil : errorRatio
        case .rate: callsPerSecond
        }
    }
}

extension LatencyHistogram {
    fileprivate func value(of statistic: Threshold.Statistic) -> Nanoseconds? {
        switch statistic {
        case .percentile(let percentile): value(atPercentile: percentile)
        case .maximum: maximum
        case .mean: mean
        }
    }
}
