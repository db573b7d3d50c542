/// The results of one worker's run. Each worker has its own recorder; they are merged at the end.
package struct Recorder: Sendable {
    /// The tallies in the order of `Operation.allCases`; nil for operations that are not in the run.
    private var tallies: [OperationTally?]
    package private(set) var failures: [Failure: Int] = [:]
    /// The calls of each step of a schedule in steps, as far as the run got.
    package private(set) var steps: [Timeline.Interval] = []
    private let schedule: Schedule?
    /// The pacing of the open model.
    package var pacing = Pacing()
    package var connections = ConnectionTally()

    /// The deviation of the starts from the schedule.
    package struct Pacing: Sendable {
        /// Calls that started late because the maximum number of calls was in flight.
        package var lateStarts = 0
        /// Calls that were due and never started.
        package var missedStarts = 0
        /// The times from the due time of calls until they were sent.
        package var startDelay: LatencyHistogram?

        package init() {}

        package mutating func merge(_ other: Pacing) {
            lateStarts += other.lateStarts
            missedStarts += other.missedStarts
            guard let theirs = other.startDelay else { return }
            if startDelay == nil { startDelay = LatencyHistogram() }
            startDelay?.merge(theirs)
        }
    }

    /// - Parameters:
    ///   - operations: The operations that will be recorded.
    ///   - schedule: The schedule of the run, if it has one.
    package init(_ operations: [Operation], schedule: Schedule? = nil) {
        self.schedule = schedule
        tallies = Operation.allCases.map { operations.contains($0) ? OperationTally() : nil }
    }

    package mutating func record(_ outcome: CallOutcome) {
        if let failure = outcome.verdict.failure { failures[failure, default: 0] += 1 }
        tallies[Recorder.index(of: outcome.operation)]?.record(outcome)
        if let step = schedule?.step(at: outcome.due) {
            while steps.count <= step { steps.append(Timeline.Interval()) }
            steps[step].record(outcome)
        }
    }

    package mutating func merge(_ other: Recorder) {
        for (index, theirs) in other.tallies.enumerated() {
            guard let theirs else { continue }
            if tallies[index] == nil { tallies[index] = theirs } else { tallies[index]?.merge(theirs) }
        }
        failures.merge(other.failures, uniquingKeysWith: +)
        while steps.count < other.steps.count { steps.append(Timeline.Interval()) }
        for (index, theirs) in other.steps.enumerated() { steps[index].merge(theirs) }
        pacing.merge(other.pacing)
        connections.merge(other.connections)
    }

    /// The tallies by operation, in the order of `Operation.allCases`.
    package var operations: [(operation: Operation, tally: OperationTally)] {
        zip(Operation.allCases, tallies).compactMap { operation, tally in tally.map { (operation, $0) } }
    }

    /// The tally of all operations together.
    package var overall: OperationTally {
        operations.reduce(into: OperationTally()) { sum, item in sum.merge(item.tally) }
    }

    private static func index(of operation: Operation) -> Int {
        switch operation {
        case .pages: 0
        case .stream: 1
        case .walk: 2
        case .toggle: 3
        case .favorites: 4
        }
    }
}

/// Events of the connections during a run.
package struct ConnectionTally: Sendable, Hashable {
    /// Connections that were lost while in use, or retired by the server.
    package var lost = 0
    /// Connections that were opened to replace lost ones.
    package var reopened = 0
    /// Failed attempts to open such a connection.
    package var failedAttempts = 0

    package init() {}

    package mutating func merge(_ other: ConnectionTally) {
        lost += other.lost
        reopened += other.reopened
        failedAttempts += other.failedAttempts
    }
}
