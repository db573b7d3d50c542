internal import Synchronization

/// A durable store of favorites lists. An acknowledged toggle is never lost nor applied twice.
///
/// A store may be a file, or a database that other servers share. It decides each change in a transaction of its own,
/// and keeps nothing in memory for readers: they follow `feed`.
///
/// Rows are verified when they are read. A list whose rows differ from what was written is refused with
/// `StoreError.damaged` when it is read, or when a change would read such a row; other lists are not. A change that differs from what was written,
/// or is missing, is a gap in the log: those before it count as no longer kept.
///
/// The changes of one list, toggles and deletions, are made in the order in which they were called, also if no caller waits
/// for the one before. A deletion has been called when `delete` first suspends.
///
/// A read returns a state that includes every change that was acknowledged, or sent to the feed, before the read began.
/// A read may fail with `.cancelled` when the calling task is cancelled. A change is not interrupted, except where it says
/// so.
package protocol FavoritesStore: Sendable {
    /// The history to which the revisions of the store's lists belong now. It changes when the store learns that changes
    /// which were answered are lost; the feed gets `renewed` before anything of the new history is returned or sent.
    var history: HistoryID { get }

    /// The feed of changes, to which only the store sends.
    ///
    /// It gets every change, by whoever made it, after the change is durable. The changes of one list come in the order of
    /// their revisions. A change that was sent may be sent again, with those after it that were sent. A call that makes a
    /// change returns after its event was sent. A store that may have skipped a change sends `lost`.
    var feed: Subject<StoreEvent> { get }

    /// The time since others' changes were last asked for: those that were made before have been sent to the feed. Zero if
    /// nobody else changes the lists.
    var feedAge: Duration { get }

    /// Returns the revision of a list up to which the feed has got its changes, without a question to the disk or the
    /// database. Those after it are sent later.
    ///
    /// - Returns: The revision, in `history`; nil if the store keeps none.
    func sentRevision(of list: ListName) -> Int64?

    /// Returns a list. An unknown list is empty, at the revision with which a list of that name would begin.
    ///
    /// - Throws: `StoreError.notReadable`.
    func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot

    /// Returns the changes of a list after `revision`.
    ///
    /// - Parameters:
    ///   - list: The list. An unknown list is at the revision with which it would begin.
    ///   - revision: The last revision that the caller has, 0 or more.
    ///   - limit: The maximum number of changes to return, above 0.
    /// - Returns: The changes, or the reason why they cannot be returned.
    /// - Throws: `StoreError.notReadable`.
    func changes(of list: ListName, after revision: Int64, limit: Int) async throws(StoreError) -> ChangeHistory

    /// Returns lists that exist, in the order of their names (by their bytes), one page at a time.
    ///
    /// - Parameters:
    ///   - prefix: The text that the names begin with; empty for all lists.
    ///   - after: The last name of the previous page; nil for the first page.
    ///   - limit: The maximum number of lists to return, above 0.
    /// - Returns: The lists, without those whose ids are damaged. If they are fewer than `limit` there are no more.
    /// - Throws: `StoreError.notReadable`.
    func lists(prefix: String, after: ListName?, limit: Int) async throws(StoreError) -> [ListSummary]

    /// Saves or removes a favorite. The change, its eviction, the new revision, and the answer that is kept under the
    /// request id are one transaction.
    ///
    /// - Parameters:
    ///   - toggle: The requested change.
    ///   - character: The snapshot to save, of the character that the toggle names. Without it a toggle that would
    ///     save changes nothing and returns `.characterNeeded`. A removal, a repeat of an answered request, and a save
    ///     of a character that is saved already need no snapshot.
    ///   - deadline: The caller's deadline; nil if there is none. A toggle that was not begun before the deadline, or
    ///     before it was cancelled, is never begun. A toggle that was begun commits or fails as a whole.
    ///   - answer: Called once, on any thread, perhaps before this returns: with the outcome, after the transaction is
    ///     durable, or with an error. After `.outcomeUnknown` the change may have been made; after any other error this call
    ///     has changed nothing. The function must return quickly, because other changes wait for it.
    /// - Returns: A function that cancels the toggle.
    func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void

    /// Deletes a list with all its favorites, in one change that its watchers get. The list then no longer counts
    /// towards the maximum. A new list of the same name continues with the next revision. The answer that is kept under
    /// the request id is part of the same transaction.
    ///
    /// - Parameters:
    ///   - list: The list to delete.
    ///   - request: The key under which a repeat gets the same answer and changes nothing; nil if there is none. Ids of
    ///     deletions and of toggles are the same.
    ///   - deadline: As for a toggle.
    ///   - answer: As for a toggle, with the revision of the deletion. If there is no such list nothing changes, and it is
    ///     the revision of the name.
    /// - Returns: A function that cancels the deletion.
    func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ListDeletion, StoreError>) -> Void
    ) -> @Sendable () -> Void
}

extension FavoritesStore {
    package var feedAge: Duration { .zero }

    package func sentRevision(of list: ListName) -> Int64? { nil }

    /// Deletes a list for a caller without a name and without a deadline.
    package func delete(_ list: ListName, requestID: RequestID?) async throws(StoreError) -> ListDeletion {
        try await delete(list, request: RequestKey(requestID), deadline: nil)
    }

    /// Deletes a list for a caller without a request id and without a deadline.
    package func delete(_ list: ListName) async throws(StoreError) -> ListDeletion {
        try await delete(list, request: nil, deadline: nil)
    }

    /// Deletes a list for a caller with a task, whose cancellation cancels the deletion.
    package func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> ListDeletion {
        try await answer { delete(list, request: request, deadline: deadline, answer: $0) }
    }

    /// Saves or removes a favorite for a caller with a task, whose cancellation cancels the toggle.
    package func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> ToggleOutcome {
        try await answer { self.toggle(toggle, character: character, deadline: deadline, answer: $0) }
    }

    /// Waits for the answer to a change that `begin` begins, before this suspends, and cancels it with the calling task.
    private func answer<Value: Sendable>(
        _ begin: (@escaping @Sendable (Result<Value, StoreError>) -> Void) -> @Sendable () -> Void
    ) async throws(StoreError) -> Value {
        guard !Task.isCancelled else { throw .cancelled }
        let cancellation = Mutex(Cancellation())
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let cancel = begin { continuation.resume(returning: $0) }
                cancellation.withLock { $0.run = cancel }
                // The task may have been cancelled meanwhile.
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancellation.withLock(\.self).run?()
        }
        return try result.get()
    }

    /// Saves or removes a favorite for a caller without a deadline.
    package func toggle(_ toggle: Toggle, character: MarvelCharacter?) async throws(StoreError) -> ToggleOutcome {
        try await self.toggle(toggle, character: character, deadline: nil)
    }

    /// Returns the contents of a list.
    package func favorites(_ list: ListName) async throws(StoreError) -> FavoritesList {
        try await snapshot(of: list).list
    }
}

/// The function that cancels a change. It is wrapped in a struct because `Mutex` would wrap a bare function again at
/// every access.
private struct Cancellation {
    var run: (@Sendable () -> Void)?
}

/// An event of a store's feed.
package enum StoreEvent: Sendable, Hashable {
    /// Lists changed: the changes of one transaction, or some of them, in the order in which they were made.
    case changed([ListChange])
    /// Events may be missing before this one, of any list: what is known of the lists has to be read again.
    case lost
    /// The store goes on in this history, and may have lost changes of the one before: nothing that is known of the lists
    /// holds any more.
    case renewed(HistoryID)
}

/// The news that a list has reached a revision. It is an object, because it is passed on many times, and a copy of a change
/// keeps each of its favorites alive.
package final class ListChange: Sendable, Hashable {
    package let list: ListName
    package let revision: Int64
    /// The change that led to the revision; nil if the store does not have it at hand.
    package let change: FavoritesChange?
    /// The digest of the change and all before it on its list; 0 if it is not known. Equal news may differ in it.
    package let digest: Int64
    /// Whether the list exists at the revision; true if that is not known. Equal news may differ in it.
    package let exists: Bool

    /// Creates the news of a change that is at hand.
    package init(_ list: ListName, _ change: FavoritesChange, digest: Int64 = 0) {
        self.list = list
        self.revision = change.revision
        self.change = change
        self.digest = digest
        exists = !change.isDeletion
    }

    /// Creates the news of a change of which only the revision is at hand.
    package init(_ list: ListName, revision: Int64, digest: Int64 = 0, exists: Bool = true) {
        self.list = list
        self.revision = revision
        self.change = nil
        self.digest = digest
        self.exists = exists
    }

    package static func == (left: ListChange, right: ListChange) -> Bool {
        left.list == right.list && left.revision == right.revision && left.change == right.change
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(list)
        hasher.combine(revision)
    }
}

/// A list at one revision of a history.
package struct ListSnapshot: Sendable, Hashable {
    package var list: FavoritesList
    /// The history in which the revision counts.
    package var history: HistoryID

    package init(_ list: FavoritesList, in history: HistoryID) {
        self.list = list
        self.history = history
    }
}

/// The state that a toggle sets.
public enum DesiredFavorite: Sendable, Hashable, CaseIterable {
    /// The opposite of the current state.
    case toggle
    /// Saved on the list. A character that is already on the list keeps its place, and nothing changes.
    case saved
    /// Removed from the list.
    case removed
}

/// A request to save, remove or toggle one character on one list.
package struct Toggle: Sendable, Hashable {
    package typealias Desired = DesiredFavorite

    package var list: ListName
    package var characterID: Int64
    package var desired: Desired
    /// The key under which a repeat gets the same answer; nil if there is none.
    package var request: RequestKey?
    /// The caller, who owns the list if the toggle makes it.
    package var owner: ListOwner

    package init(
        list: ListName,
        characterID: Int64,
        desired: Desired = .toggle,
        request: RequestKey?,
        owner: ListOwner = .nobody
    ) {
        self.list = list
        self.characterID = characterID
        self.desired = desired
        self.request = request
        self.owner = owner
    }

    /// Makes the request of a caller without a name.
    package init(list: ListName, characterID: Int64, desired: Desired = .toggle, requestID: RequestID? = nil) {
        self.init(list: list, characterID: characterID, desired: desired, request: RequestKey(requestID))
    }

    /// Returns whether another toggle asks for the same change under the same key. Whose list it would make is no part of
    /// the request.
    package func hasSameContents(as other: Toggle) -> Bool {
        list == other.list && characterID == other.characterID && desired == other.desired && request == other.request
    }
}

/// The answer of a store to a toggle.
package enum ToggleOutcome: Sendable, Hashable {
    case done(ToggleResult)
    /// The toggle would save a character, and the snapshot is missing. Nothing changed.
    case characterNeeded
}

/// The result of a toggle.
public struct ToggleResult: Sendable, Hashable {
    /// Whether the character is on the list now.
    public var isFavorite: Bool
    /// The list's revision after the change, or the current one if nothing changed.
    public var revision: Int64
    /// The favorites that were evicted to make room, oldest first.
    public var evicted: [Favorite]
    /// The list's place at that revision; nil if the server sent none.
    public var place: FavoritesPlace?

    /// Makes a result.
    public init(isFavorite: Bool, revision: Int64, evicted: [Favorite] = [], place: FavoritesPlace? = nil) {
        self.isFavorite = isFavorite
        self.revision = revision
        self.evicted = evicted
        self.place = place
    }
}

/// A list without the contents of its favorites.
package struct ListSummary: Sendable, Hashable {
    package var name: ListName
    package var revision: Int64
    /// The ids of the characters on the list, oldest first.
    package var ids: [Int64]

    package init(name: ListName, revision: Int64, ids: [Int64]) {
        self.name = name
        self.revision = revision
        self.ids = ids
    }

    /// The number of favorites on the list.
    package var count: Int { ids.count }
}

/// The result of the deletion of a list.
public struct ListDeletion: Sendable, Hashable {
    /// The revision of the deletion. If there was no such list, the revision from which a list of the name would
    /// continue.
    public var revision: Int64
    /// Whether there was such a list.
    public var existed: Bool
    /// The list's place at that revision; nil if the server sent none.
    public var place: FavoritesPlace?

    /// Makes a result.
    public init(revision: Int64, existed: Bool, place: FavoritesPlace? = nil) {
        self.revision = revision
        self.existed = existed
        self.place = place
    }
}

/// A failure of a favorites store. Details (paths, SQL) are logged and not part of the error.
package enum StoreError: Error, Sendable, Hashable {
    /// The request id was used before for a different request. Nothing was changed.
    case requestIDReused
    /// The maximum number of lists is reached.
    case listLimitReached(maximum: Int)
    /// The caller owns as many lists as a caller may own; 0 for a caller without a name.
    case ownedListLimitReached(maximum: Int)
    /// The queue of calls that wait for the store is full. Nothing was changed.
    case overloaded
    /// The caller's deadline passed before the toggle was begun. Nothing was changed.
    case deadlineExceeded
    /// The caller's task was cancelled during a read, or before a change was begun. Nothing was changed.
    case cancelled
    /// The disk is full or failing, or the file is read-only. Nothing was changed, and reads still work.
    case notWritable(String)
    /// The store cannot be read. Nothing was changed.
    case notReadable(String)
    /// The database cannot be reached at the moment. Nothing was changed.
    case unavailable(String)
    /// The commit of a change failed, or its connection was lost, so that the change may have been made. A repeat with the same
    /// request id gets its answer, or makes it.
    case outcomeUnknown(String)

    /// The error of a list that differs from what was written: it is refused, and others are not.
    package static func damaged(_ list: ListName) -> StoreError { .notReadable("list \(list) is damaged") }
}
