/// The results of the calls of one operation, or of all operations.
package struct OperationTally: Sendable {
    package private(set) var succeeded = 0
    package private(set) var failed = 0
    /// The failed calls that reached no server.
    package private(set) var unreachable = 0
    /// The pages of calls that succeeded.
    package private(set) var pages = 0
    /// The bytes of the messages received, also of calls that failed.
    package private(set) var bytes = 0
    /// The latencies of calls that succeeded or timed out.
    package private(set) var latency = LatencyHistogram()
    /// The times to the first page of operations with several pages; nil if there was none.
    package private(set) var firstPage: LatencyHistogram?
    /// The calls by the time at which they were due.
    package private(set) var timeline = Timeline()

    package init() {}

    /// The number of calls that have ended.
    package var calls: Int { succeeded + failed }

    package mutating func record(_ outcome: CallOutcome) {
        bytes += outcome.bytes
        timeline.record(outcome)
        if outcome.verdict.hasLatency { latency.record(outcome.latency) }
        switch outcome.verdict {
        case .success:
            succeeded += 1
            pages += outcome.pages
        case .failure, .timeout:
            failed += 1
        case .unreachable:
            failed += 1
            unreachable += 1
        }
        if let time = outcome.firstPage {
            if firstPage == nil { firstPage = LatencyHistogram() }
            firstPage?.record(time)
        }
    }

    package mutating func merge(_ other: OperationTally) {
        succeeded += other.succeeded
        failed += other.failed
        unreachable += other.unreachable
        pages += other.pages
        bytes += other.bytes
        latency.merge(other.latency)
        timeline.merge(other.timeline)
        guard let theirs = other.firstPage else { return }
        if firstPage == nil { firstPage = LatencyHistogram() }
        firstPage?.merge(theirs)
    }
}
