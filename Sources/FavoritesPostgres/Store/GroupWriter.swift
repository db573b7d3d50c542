internal import MarvelDomain
internal import RPCCore
internal import ServerMetrics
internal import Synchronization

/// A toggle or a deletion that waits for the writer, with the function that answers its caller.
final class WaitingRequest: Sendable {
    enum Answer: Sendable {
        case toggle(ToggleOutcome)
        case deletion(ListDeletion)
    }

    let kind: GroupedRequest.Kind
    /// The key of a deletion; that of a toggle is its own.
    let key: RequestKey?
    let character: MarvelCharacter?
    let caller: WaitingCaller
    let answer: @Sendable (Result<Answer, StoreError>) -> Void

    init(
        _ kind: GroupedRequest.Kind,
        _ key: RequestKey?,
        _ character: MarvelCharacter?,
        _ caller: WaitingCaller,
        _ answer: @escaping @Sendable (Result<Answer, StoreError>) -> Void
    ) {
        self.kind = kind
        self.key = key
        self.character = character
        self.caller = caller
        self.answer = answer
    }

    func request(at now: Timestamp) -> GroupedRequest {
        switch kind {
        case .toggle(let toggle): GroupedRequest(toggle, saving: character, at: now)
        case .deletion(let list): GroupedRequest(deletionOf: list, key)
        }
    }
}

/// The writer: requests that arrive while a group is under way are the next group, in one transaction and one round
/// trip.
///
/// A group whose connection is lost is sent again, whether it was committed or not: each of its requests has a key, so
/// the database answers those again that it has done. It is given up after some seconds; then its callers get
/// `.outcomeUnknown`, and may ask again with their keys.
final class GroupWriter: Sendable {
    struct Limits: Sendable {
        var inbox = InboxLimits()
        var maximumLists = 100_000
        var maximumListsPerOwner = 100
        var changesPerList: Int64 = 1_000
        /// The maximum number of answers; there are more only for two minutes.
        var maximumAnswers: Int64 = 1_000_000
        /// The maximum wait of a request while there is no connection.
        var patience = Duration.seconds(2)
        /// The time after which a group that was begun is given up.
        var groupTime = Duration.seconds(10)
    }

    /// Counts of the groups that were sent, since the store was opened.
    final class Counts: Sendable {
        /// The durations of the groups that were committed.
        let durations = DurationHistogram()
        /// The numbers of their requests.
        let sizes = SizeHistogram()
        /// The groups that were sent again because their outcome was unknown.
        let resent = Atomic(0)
        /// The groups that were sent again because another transaction was in their way.
        let conflicts = Atomic(0)
    }

    /// The waits before a statement is sent again because another transaction was in its way.
    static let conflictBackoff = Backoff(
        minimum: .milliseconds(1),
        initial: .milliseconds(5),
        maximum: .milliseconds(200)
    )

    let limits: Limits
    let publisher: FeedPublisher
    let status: StoreStatus
    let now: @Sendable () -> Timestamp
    let thread: DatabaseThread
    /// The counts of the groups that were sent. Only the writer's thread adds to them.
    let counts = Counts()
    /// The waiting requests; nil at the end, when the thread takes no more.
    private let inbox: Mutex<ToggleInbox<WaitingRequest>?>

    init(
        _ limits: Limits,
        _ publisher: FeedPublisher,
        _ status: StoreStatus,
        _ now: @escaping @Sendable () -> Timestamp
    ) throws(FavoritesDatabaseError) {
        self.limits = limits
        self.publisher = publisher
        self.status = status
        self.now = now
        thread = try DatabaseThread()
        inbox = Mutex(ToggleInbox(limits: limits.inbox))
    }

    func add(_ request: WaitingRequest) {
        if let refusal = status.refusal { return request.answer(.failure(.notWritable(refusal))) }
        switch thread.shouldStop ? nil : inbox.withLock({ $0?.added(request) }) {
        case .wakeWriter: thread.wakeup.wake()
        case .wait: break
        case .refuse: request.answer(.failure(.overloaded))
        case nil: request.answer(.failure(.unavailable("the store is closed")))
        }
    }

    /// The requests that wait.
    var waitingCount: Int { inbox.withLock { $0?.waitingCount ?? 0 } }

    func takeGroup() -> [WaitingRequest] { inbox.withLock { $0?.takeGroup() ?? [] } }

    /// Returns whether a request waits. If none does, the next one wakes the writer.
    func hasWork() -> Bool { inbox.withLock { $0?.groupFinished() } == .takeAnother }

    /// Takes no more requests, unless one waits.
    ///
    /// - Returns: Whether none waits.
    func end() -> Bool {
        inbox.withLock { inbox in
            if let inbox, inbox.waitingCount > 0 { return false }
            inbox = nil
            return true
        }
    }

    /// Refuses the requests that have waited for a connection for too long; all of them if the store is closed.
    func refuseExpired(_ fault: DatabaseFault) {
        let latest = ContinuousClock.now - limits.patience
        let isClosed = thread.shouldStop
        let expired = inbox.withLock { $0?.takeExpired { isClosed || $0.caller.arrival < latest } ?? [] }
        for request in expired { request.answer(.failure(fault.writeError())) }
    }
}
