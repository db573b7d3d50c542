/// Says when the next call starts in the open model: a pure function of how much time has passed and how many calls
/// were sent, whatever the answers do.
package struct Pacer: Sendable, Hashable {
    package enum Decision: Sendable, Hashable {
        /// A call was due at this time after the start: start it now, and count its latency from then.
        case start(due: Nanoseconds)
        /// Nothing is due before this time after the start.
        case wait(until: Nanoseconds)
        /// All calls of the run were sent.
        case finished
    }

    private let schedule: Schedule
    private let share: Share
    private let limit: RunLimit

    package init(_ schedule: Schedule, share: Share = .all, limit: RunLimit) {
        self.schedule = schedule
        self.share = share
        self.limit = limit
    }

    /// - Parameters:
    ///   - elapsed: Since the start.
    ///   - sent: This worker's calls so far.
    /// - Returns: What to do now.
    package func decide(elapsed: Nanoseconds, sent: Int) -> Decision {
        let number = share.overallNumber(sent)
        guard number < limit.calls else { return .finished }
        let due = schedule.due(number)
        guard due < limit.time else { return .finished }
        return due <= elapsed ? .start(due: due) : .wait(until: due)
    }

    /// How many calls are due that were not sent.
    package func behind(elapsed: Nanoseconds, sent: Int) -> Int {
        var (low, high) = (sent, sent)
        var step = 1
        while case .start = decide(elapsed: elapsed, sent: high) {
            low = high
            high = high > .max / 4 ? high : high + step
            step *= 2
        }
        // The first call that is not due lies above `low` and at most at `high`, unless nothing is due at all.
        while high > low {
            let middle = low + (high - low) / 2
            if case .start = decide(elapsed: elapsed, sent: middle) { low = middle + 1 } else { high = middle }
        }
        return low - sent
    }
}

/// What ends a run: a time, a number of calls, or whichever comes first.
package struct RunLimit: Sendable, Hashable {
    /// No call starts from this time after the start on.
    package var time: Nanoseconds
    /// Over all workers.
    package var calls: Int

    package init(time: Duration? = nil, calls: Int? = nil) {
        self.time = time?.inNanoseconds ?? .max
        self.calls = calls ?? .max
    }
}
