package struct CallOutcome: Sendable {
    package enum Verdict: Sendable, Hashable {
        case success
        /// A server returned an error. The latency is not counted, because refusals are fast.
        case failure(Failure)
        /// No server responded: the connection was lost, or could not be opened.
        case unreachable(Failure)
        /// The call's deadline passed. Its latency is counted, because the percentiles would otherwise be too low.
        case timeout(Failure)

        package var failure: Failure? {
            switch self {
            case .success: nil
            case .failure(let failure), .unreachable(let failure), .timeout(let failure): failure
            }
        }

        package var hasLatency: Bool {
            switch self {
            case .success, .timeout: true
            case .failure, .unreachable: false
            }
        }
    }

    package var operation: LoadOperation
    /// The time of sending after the start of the run, or the due time in the open model.
    package var due: Nanoseconds
    package var latency: Nanoseconds
    /// Measured like `latency`; nil for operations with one page.
    package var firstPage: Nanoseconds?
    package var pages = 0
    /// The size without the overhead of the wire.
    package var bytes = 0
    package var verdict = Verdict.success
}

package struct Failure: Sendable, Hashable, Comparable {
    package var code: String
    package var reason: String

    package static func < (left: Failure, right: Failure) -> Bool {
        (left.code, left.reason) < (right.code, right.reason)
    }
}

package struct OperationTally: Sendable {
    package private(set) var succeeded = 0
    package private(set) var failed = 0
    package private(set) var unreachable = 0
    package private(set) var pages = 0
    /// Failed calls count too.
    package private(set) var bytes = 0
    package private(set) var latency = LatencyHistogram()
    /// Nil without an operation of several pages.
    package private(set) var firstPage: LatencyHistogram?

    package var calls: Int { succeeded + failed }

    package mutating func record(_ outcome: CallOutcome) {
        bytes += outcome.bytes
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
        guard let theirs = other.firstPage else { return }
        if firstPage == nil { firstPage = LatencyHistogram() }
        firstPage?.merge(theirs)
    }
}

package struct Recorder: Sendable {
    /// In the order of `LoadOperation.allCases`; nil for operations that are not in the run.
    private var tallies: [OperationTally?]
    package private(set) var failures: [Failure: Int] = [:]
    package private(set) var timeline = Timeline()
    package var pacing = Pacing()
    package var connections = ConnectionTally()

    package struct Pacing: Sendable {
        /// Calls that started late because the maximum number of calls was in flight.
        package var lateStarts = 0
        package var missedStarts = 0
        /// The times from a call's due time until its sending.
        package var startDelay: LatencyHistogram?

        package mutating func merge(_ other: Pacing) {
            lateStarts += other.lateStarts
            missedStarts += other.missedStarts
            guard let theirs = other.startDelay else { return }
            if startDelay == nil { startDelay = LatencyHistogram() }
            startDelay?.merge(theirs)
        }
    }

    package init(_ operations: [LoadOperation]) {
        tallies = LoadOperation.allCases.map { operations.contains($0) ? OperationTally() : nil }
    }

    package mutating func record(_ outcome: CallOutcome) {
        if let failure = outcome.verdict.failure { failures[failure, default: 0] += 1 }
        timeline.record(outcome)
        tallies[Recorder.index(of: outcome.operation)]?.record(outcome)
    }

    package mutating func merge(_ other: Recorder) {
        for (index, theirs) in other.tallies.enumerated() {
            guard let theirs else { continue }
            if tallies[index] == nil { tallies[index] = theirs } else { tallies[index]?.merge(theirs) }
        }
        failures.merge(other.failures, uniquingKeysWith: +)
        timeline.merge(other.timeline)
        pacing.merge(other.pacing)
        connections.merge(other.connections)
    }

    package var operations: [(operation: LoadOperation, tally: OperationTally)] {
        zip(LoadOperation.allCases, tallies).compactMap { operation, tally in tally.map { (operation, $0) } }
    }

    package var overall: OperationTally {
        operations.reduce(into: OperationTally()) { sum, item in sum.merge(item.tally) }
    }

    private static func index(of operation: LoadOperation) -> Int {
        switch operation {
        case .pages: 0
        case .stream: 1
        case .walk: 2
        case .toggle: 3
        case .favorites: 4
        }
    }
}

package struct ConnectionTally: Sendable, Hashable {
    package var lost = 0
    package var reopened = 0
    package var failedAttempts = 0

    package mutating func merge(_ other: ConnectionTally) {
        lost += other.lost
        reopened += other.reopened
        failedAttempts += other.failedAttempts
    }
}
