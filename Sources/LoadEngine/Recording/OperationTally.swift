/// What came of the calls of one operation, or of all.
package struct OperationTally: Sendable {
    package private(set) var succeeded = 0
    package private(set) var failed = 0
    package private(set) var pages = 0
    package private(set) var bytes = 0
    /// Of calls that succeeded or ran out of time.
    package private(set) var latency = LatencyHistogram()
    /// Of calls that bring pages one after the other; nil if there was none.
    package private(set) var firstPage: LatencyHistogram?

    package init() {}

    /// Calls that have ended.
    package var calls: Int { succeeded + failed }

    package mutating func record(_ outcome: CallOutcome) {
        pages += outcome.pages
        bytes += outcome.bytes
        switch outcome.verdict {
        case .success:
            succeeded += 1
            latency.record(outcome.latency)
        case .failure:
            failed += 1
        case .timeout:
            failed += 1
            latency.record(outcome.latency)
        }
        if let time = outcome.firstPage {
            if firstPage == nil { firstPage = LatencyHistogram() }
            firstPage?.record(time)
        }
    }

    package mutating func merge(_ other: OperationTally) {
        succeeded += other.succeeded
        failed += other.failed
        pages += other.pages
        bytes += other.bytes
        latency.merge(other.latency)
        guard let theirs = other.firstPage else { return }
        if firstPage == nil { firstPage = LatencyHistogram() }
        firstPage?.merge(theirs)
    }
}
