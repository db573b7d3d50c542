/// What one run came to: all workers' recorders merged, and the facts around them.
package struct RunResult: Sendable {
    package enum Ending: String, Sendable, Hashable {
        /// As long as was asked for.
        case completed
        /// Somebody stopped it.
        case stopped
        /// No server answered at its end, or most calls found none.
        case serverLost = "server_lost"
    }

    package let recorder: Recorder
    /// Of all operations together.
    package let overall: OperationTally
    /// From the first start to the last answer.
    package let elapsed: Duration
    package let ending: Ending
    /// CPU time that this process used meanwhile.
    package let testerCPU: Duration

    package init(recorder: Recorder, elapsed: Duration, ending: Ending, testerCPU: Duration) {
        self.recorder = recorder
        self.overall = recorder.overall
        self.elapsed = elapsed
        self.ending = ending
        self.testerCPU = testerCPU
    }

    /// Whether the run leaves open that a server is still there: it has failures, or nothing succeeded.
    package var isServerInDoubt: Bool { ending == .completed && (overall.failed > 0 || overall.succeeded == 0) }

    /// Whether more than half of the calls found no server.
    package var foundMostlyNoServer: Bool { overall.unreachable > overall.calls / 2 }

    /// Decides the ending of a run in doubt.
    ///
    /// - Parameter serverAnswers: Whether a server answered a call that was made after the run.
    /// - Returns: The result; the server counts as lost if it did not answer, or if most calls of the run found none.
    package func judged(serverAnswers: Bool) -> RunResult {
        guard isServerInDoubt, !serverAnswers || foundMostlyNoServer else { return self }
        return RunResult(recorder: recorder, elapsed: elapsed, ending: .serverLost, testerCPU: testerCPU)
    }

    /// Failed calls among all that ended: 0 to 1.
    package var errorRatio: Double {
        overall.calls == 0 ? 0 : Double(overall.failed) / Double(overall.calls)
    }

    /// Calls that succeeded, per second.
    package var callsPerSecond: Double { perSecond(overall.succeeded) }
    package var pagesPerSecond: Double { perSecond(overall.pages) }
    package var bytesPerSecond: Double { perSecond(overall.bytes) }

    package func perSecond(_ count: Int) -> Double {
        elapsed > .zero ? Double(count) / elapsed.inSeconds : 0
    }

    /// Cores that this process kept busy.
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
