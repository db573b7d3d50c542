internal import MarvelDomain
internal import Synchronization

/// A toggle that waits for the writer, with the function that answers its caller. It is an object because it is passed
/// on several times, and a copy of its values costs as much as a small statement.
final class WaitingToggle: Sendable {
    let toggle: Toggle
    let character: MarvelCharacter?
    let caller: WaitingCaller
    let answer: @Sendable (Result<ToggleOutcome, StoreError>) -> Void

    init(
        _ toggle: Toggle,
        _ character: MarvelCharacter?,
        _ caller: WaitingCaller,
        _ answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) {
        self.toggle = toggle
        self.character = character
        self.caller = caller
        self.answer = answer
    }
}

/// The caller of a request that waits for the writer.
struct WaitingCaller: Sendable {
    let arrival: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant?
    let cancellation = CancellationFlag()

    /// Returns the reason not to begin the request; nil if it should be done.
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

/// The waiting toggles, in the order of their calls. Toggles that arrive during a commit are the next group: a single
/// one does not wait, and the slower the disk, the larger the groups.
///
///     asleep ──added──▶ awake ──groupFinished, nothing waits──▶ asleep
struct ToggleInbox<Waiting> {
    private let limits: InboxLimits
    private var waiting: [Waiting] = []
    private var isWriterAwake = false

    init(limits: InboxLimits) { self.limits = limits }

    var waitingCount: Int { waiting.count }

    /// The action for a toggle that arrives.
    enum OnAdded: Equatable {
        /// Start the writer.
        case wakeWriter
        /// The writer is running and will take the toggle.
        case wait
        /// Refuse the toggle: there are too many.
        case refuse
    }

    mutating func added(_ toggle: Waiting) -> OnAdded {
        guard waiting.count < limits.maximumCount else { return .refuse }
        waiting.append(toggle)
        guard !isWriterAwake else { return .wait }
        isWriterAwake = true
        return .wakeWriter
    }

    /// Takes the next group: as many toggles as may share a transaction, the oldest first.
    mutating func takeGroup() -> [Waiting] {
        var group: [Waiting] = []
        if waiting.count <= limits.maximumGroup {
            swap(&group, &waiting)
        } else {
            group = Array(waiting.prefix(limits.maximumGroup))
            waiting.removeFirst(group.count)
        }
        return group
    }

    /// The action for the end of a group.
    enum OnGroupFinished: Equatable {
        case takeAnother
        case sleep
    }

    mutating func groupFinished() -> OnGroupFinished {
        isWriterAwake = !waiting.isEmpty
        return isWriterAwake ? .takeAnother : .sleep
    }
}
