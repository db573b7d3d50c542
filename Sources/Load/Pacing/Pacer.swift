/// A pacer: when each call of the open model starts. Responses do not change it.
package struct Pacer: Sendable, Hashable {
    package enum Decision: Sendable, Hashable {
        /// A call must start now. Its latency counts from `due`.
        case start(due: Nanoseconds)
        case wait(until: Nanoseconds)
        case finished
    }

    let schedule: Schedule
    var share = WorkerShare.all
    let limit: RunLimit

    /// `elapsed` is the time since the start, `sent` the number of this worker's calls.
    package func decide(elapsed: Nanoseconds, sent: Int) -> Decision {
        let number = share.overallNumber(sent)
        guard number < limit.calls else { return .finished }
        let due = schedule.due(number)
        guard due < limit.time else { return .finished }
        return due <= elapsed ? .start(due: due) : .wait(until: due)
    }

    package func behind(elapsed: Nanoseconds, sent: Int) -> Int {
        var (low, high) = (sent, sent)
        var step = 1
        while case .start = decide(elapsed: elapsed, sent: high) {
            low = high
            high = high > .max / 4 ? high : high + step
            step *= 2
        }
        // If any call is due, the first one that is not lies after `low` and at most at `high`.
        while high > low {
            let middle = low + (high - low) / 2
            if case .start = decide(elapsed: elapsed, sent: middle) { low = middle + 1 } else { high = middle }
        }
        return low - sent
    }
}

package struct RunLimit: Sendable, Hashable {
    package var time: Nanoseconds
    /// The maximum of all workers together.
    package var calls: Int

    package init(time: Duration? = nil, calls: Int? = nil) {
        self.time = time?.inNanoseconds ?? .max
        self.calls = calls ?? .max
    }
}

/// `Duration`'s 128 bits would be too slow for every call.
package typealias Nanoseconds = Int64

extension Duration {
    /// Clamped to the range of 64 bits: 292 years.
    package var inNanoseconds: Nanoseconds {
        let (seconds, attoseconds) = components
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLarge else { return seconds < 0 ? .min : .max }
        let (sum, isOver) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isOver ? .max : sum
    }

    package var inSeconds: Double { self / .seconds(1) }
}

extension Nanoseconds {
    static let perSecond = 1_000_000_000.0

    /// Not-a-number counts as the maximum.
    init(seconds: Double) {
        let nanoseconds = seconds * Nanoseconds.perSecond
        self = nanoseconds < Double(Nanoseconds.max) ? Nanoseconds(nanoseconds.rounded(.up)) : .max
    }

    package var inSeconds: Double { Double(self) / Nanoseconds.perSecond }
}

/// The calls of one worker among all calls, so that workers need no communication. With 2 workers and 5 connections,
/// worker 0 has the connections 0, 2, 4. So it has the calls 0, 2, 4, 5, 7, 9, 10…
package struct WorkerShare: Sendable, Hashable {
    package let worker: Int
    package let workers: Int
    package let connections: Int
    package let ownConnections: Int

    /// `worker` counts from 0. `workers` is at most the number of connections.
    package init(worker: Int, of workers: Int, connections: Int) {
        precondition((0..<workers).contains(worker) && workers <= connections, "a worker without a connection")
        self.worker = worker
        self.workers = workers
        self.connections = connections
        self.ownConnections = (connections - worker - 1) / workers + 1
    }

    package static let all = WorkerShare(worker: 0, of: 1, connections: 1)

    /// Both numbers count from 0.
    package func overallNumber(_ number: Int) -> Int {
        let (round, position) = number.quotientAndRemainder(dividingBy: ownConnections)
        return round * connections + worker + position * workers
    }
}

package struct Schedule: Sendable, Hashable {
    /// Calls per second at the start, and from `length` on.
    package let firstRate: Double
    package let lastRate: Double
    package let length: Duration

    /// `rate` is in calls per second, above 0.
    package static func constant(_ rate: Double) -> Schedule {
        Schedule(firstRate: rate, lastRate: rate, length: .zero)
    }

    /// Changes linearly and then holds `end`, in calls per second. `start` is 0 or more, `end` above 0.
    package static func line(from start: Double, to end: Double, over length: Duration) -> Schedule {
        Schedule(firstRate: start, lastRate: end, length: length)
    }

    /// A time after the start; the maximum if it is too far away. `number` counts from 0.
    package func due(_ number: Int) -> Nanoseconds {
        let (number, seconds) = (Double(number), length.inSeconds)
        let left = number - seconds * (firstRate + lastRate) / 2
        guard left < 0, number > 0 else { return Nanoseconds(seconds: number > 0 ? seconds + left / lastRate : 0) }
        // Solves number = firstRate * t + slope * t² / 2 for t. This form also works with a slope of 0.
        let slope = (lastRate - firstRate) / seconds
        let root = max(0, firstRate * firstRate + 2 * slope * number).squareRoot()
        return Nanoseconds(seconds: 2 * number / (firstRate + root))
    }

    /// In calls per second.
    package func rate(at elapsed: Duration) -> Double {
        elapsed < length ? firstRate + (lastRate - firstRate) * (elapsed / length) : lastRate
    }
}
