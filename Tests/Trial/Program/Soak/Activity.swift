import MarvelClient
import Synchronization
import TrialChecks

/// Something that clients do again and again in a mix.
struct Activity: Sendable {
    let name: String
    /// A second, before the run's rate factor.
    let rate: Double
    /// At the same time, at most; what comes when so many are under way waits.
    let maximumUnderWay: Int
    let tolerance: CallTally.Tolerance
    let run: @Sendable () async throws -> Void

    init(
        _ name: String,
        rate: Double,
        maximumUnderWay: Int = 4,
        _ tolerance: CallTally.Tolerance = .reliable,
        _ run: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.rate = rate
        self.maximumUnderWay = maximumUnderWay
        self.tolerance = tolerance
        self.run = run
    }
}

/// All activities of a run, each at its pace.
struct Mix: Sendable {
    let activities: [Activity]
    /// Multiplies every rate.
    let rate: Double
    let tally: RunTally

    /// Does everything for so long, and waits until all of it has ended.
    func run(for duration: Duration) async {
        let end = ContinuousClock.now + duration
        await withTaskGroup(of: Void.self) { group in
            for activity in activities { group.addTask { await pace(activity, until: end) } }
        }
    }

    private func pace(_ activity: Activity, until end: ContinuousClock.Instant) async {
        let interval = Duration.seconds(1 / (activity.rate * rate))
        // Not all at once.
        var due = ContinuousClock.now + interval * Double.random(in: 0..<1)
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            while due < end {
                try? await Task.sleep(until: due)
                if underWay >= activity.maximumUnderWay {
                    await group.next()
                    underWay -= 1
                }
                group.addTask { await once(activity) }
                underWay += 1
                // A slow server does not catch up on missed runs.
                due = max(due + interval, ContinuousClock.now)
            }
        }
    }

    private func once(_ activity: Activity) async {
        do {
            try await activity.run()
            tally.succeeded(activity.name)
        } catch {
            tally.failed(activity.name, error, activity.tolerance)
        }
    }
}

/// The calls and the violations of a run, from all its tasks.
final class RunTally: Sendable {
    private struct State {
        var calls = CallTally()
        var violations: [String] = []
    }

    private let state = Mutex(State())

    var calls: CallTally { state.withLock(\.calls) }
    var violations: [String] { state.withLock(\.violations) }

    func succeeded(_ kind: String) { state.withLock { $0.calls.succeeded(kind) } }

    func failed(_ kind: String, _ error: any Error, _ tolerance: CallTally.Tolerance) {
        state.withLock { state in
            if let violation = state.calls.failed(kind, error, tolerance) { state.violations.append(violation) }
        }
    }

    func violated(_ texts: [String]) { state.withLock { $0.violations += texts } }
}
