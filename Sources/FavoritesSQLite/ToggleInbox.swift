internal import MarvelDomain
internal import Synchronization

/// A toggle that waits for the writer, and its caller for the answer.
struct WaitingToggle: Sendable {
    let toggle: Toggle
    let character: MarvelCharacter?
    let arrival: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant?
    let cancellation: CancellationFlag
    let answer: CheckedContinuation<Result<ToggleOutcome, StoreError>, Never>

    /// The reason not to begin the toggle any more; nil if it is still to be done.
    func refusal(at now: ContinuousClock.Instant, maximumWait: Duration) -> StoreError? {
        if cancellation.isSet { return .cancelled }
        if let deadline, deadline <= now { return .deadlineExceeded }
        return arrival < now - maximumWait ? .overloaded : nil
    }
}

/// A flag that a cancelled task sets and the writer reads.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}

/// The toggles that wait, in the order of their calls. Those that come while a commit is under way are the next group:
/// one alone waits for nothing, and the slower the disk, the larger the groups.
///
///     asleep ──added──▶ awake ──groupFinished, nothing waits──▶ asleep
struct ToggleInbox<Waiting> {
    private let limits: InboxLimits
    private var waiting: [Waiting] = []
    private var isWriterAwake = false

    init(limits: InboxLimits) { self.limits = limits }

    var waitingCount: Int { waiting.count }

    enum OnAdded: Equatable {
        /// Have the writer take a group.
        case wakeWriter
        /// The writer will come to it.
        case wait
        /// There are too many.
        case refuse
    }

    mutating func added(_ toggle: Waiting) -> OnAdded {
        guard waiting.count < limits.maximumCount else { return .refuse }
        waiting.append(toggle)
        guard !isWriterAwake else { return .wait }
        isWriterAwake = true
        return .wakeWriter
    }

    /// What the writer does next: as many as may share a transaction, the first to come first.
    mutating func takeGroup() -> [Waiting] {
        let group = Array(waiting.prefix(limits.maximumGroup))
        waiting.removeFirst(group.count)
        return group
    }

    enum OnGroupFinished: Equatable {
        case takeAnother
        case sleep
    }

    mutating func groupFinished() -> OnGroupFinished {
        isWriterAwake = !waiting.isEmpty
        return isWriterAwake ? .takeAnother : .sleep
    }
}
