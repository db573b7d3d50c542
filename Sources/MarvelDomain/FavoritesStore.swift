internal import Synchronization

/// A durable store of favorites lists. An acknowledged toggle is never lost nor applied twice.
///
/// A store may be a file, or a database that servers share. It decides each change in a separate transaction. Readers
/// follow `feed`.
///
/// Rows are verified when they are read. A list with corrupt rows fails with `StoreError.damaged` when a read or a
/// change reaches such a row; other lists work. A corrupt or missing change is a gap in the log: earlier changes count
/// as no longer kept.
///
/// The changes of one list are made in the order of the calls, even if no caller waits. A deletion counts as called
/// when `delete` first suspends.
///
/// A read includes every change that was acknowledged, or sent to the feed, before the read began. It may fail with
/// `.cancelled` when the calling task is cancelled. A change is not interrupted, except as documented.
package protocol FavoritesStore: Sendable {
    /// The history to which the revisions belong now. It changes when the store learns that answered changes are lost.
    /// The feed gets `renewed` before the new history is used.
    var history: HistoryID { get }

    /// The feed of changes, to which only the store sends.
    ///
    /// It gets every change, from any server, after the change is durable. The changes of one list have the order of
    /// their revisions. A sent change may be sent again, with the sent ones after it. A changing call returns after its
    /// event was sent. A store that may have skipped a change sends `lost`.
    var feed: StoreFeed { get }

    /// The time since the last check for changes by others: earlier ones were sent to the feed. Zero if only this store
    /// changes the lists.
    var feedAge: Duration { get }

    /// The revision of a list up to which the feed has its changes, without I/O; nil if the store does not track it.
    /// The revision is in `history`.
    func sentRevision(of list: ListName) -> Int64?

    /// An unknown list is empty, at the revision with which a list of that name would begin.
    ///
    /// - Throws: `StoreError.notReadable`.
    func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot

    /// The changes after a revision of 0 or more, or the reason why they are not available. `limit` is above 0. An
    /// unknown list is at the revision with which it would begin.
    ///
    /// - Throws: `StoreError.notReadable`.
    func changes(of list: ListName, after revision: Int64, limit: Int) async throws(StoreError) -> ChangeHistory

    /// A page of lists in the order of their names (by their bytes), without those with corrupt ids. A page shorter
    /// than `limit` is the last. `limit` is above 0. `after` is the last name of the previous page.
    ///
    /// - Throws: `StoreError.notReadable`.
    func lists(prefix: String, after: ListName?, limit: Int) async throws(StoreError) -> [ListSummary]

    /// Saves or removes a favorite. The change, its eviction, the new revision, and the stored answer are one
    /// transaction.
    ///
    /// - Parameters:
    ///   - toggle: The requested change.
    ///   - character: The snapshot of the toggle's character. Without it a toggle that would save changes nothing and
    ///     returns `.characterNeeded`. A removal, a repeat, and a save of a saved character need no snapshot.
    ///   - deadline: The caller's deadline; nil for none. After the deadline or a cancellation, a toggle is not begun.
    ///     A toggle that was begun commits or fails as a whole.
    ///   - answer: Called once, on any thread, perhaps before this returns: with the outcome, after the transaction is
    ///     durable, or with an error. After `.outcomeUnknown` the change may have been made; after any other error this
    ///     call has changed nothing. The function must return quickly, because other changes wait for it.
    /// - Returns: A function that cancels the toggle.
    func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void

    /// Deletes a list with all its favorites, in one change that its watchers get. A new list of the same name
    /// continues with the next revision. The stored answer is part of the transaction.
    ///
    /// - Parameters:
    ///   - list: The list to delete.
    ///   - request: The key under which a repeat gets the same answer and changes nothing; nil for none. Deletions and
    ///     toggles share ids.
    ///   - deadline: As for a toggle.
    ///   - answer: As for a toggle, with the revision of the deletion. For an unknown list nothing changes, and it is
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

    package func delete(
        _ list: ListName,
        request: RequestKey? = nil,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(StoreError) -> ListDeletion {
        try await answer { delete(list, request: request, deadline: deadline, answer: $0) }
    }

    package func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(StoreError) -> ToggleOutcome {
        try await answer { self.toggle(toggle, character: character, deadline: deadline, answer: $0) }
    }

    /// Begins a change before suspending, waits for its answer, and cancels it with the calling task.
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

    package func favorites(_ list: ListName) async throws(StoreError) -> FavoritesList {
        try await snapshot(of: list).list
    }
}

/// A struct, because `Mutex` would wrap a bare function again at every access.
private struct Cancellation {
    var run: (@Sendable () -> Void)?
}

package enum StoreEvent: Sendable, Hashable {
    /// The changes of one transaction, or some of them, in order.
    case changed([ListChange])
    /// Earlier events of any list may be missing: read all lists again.
    case lost
    /// The store continues in this history, and may have lost changes of the previous one. All knowledge of the lists
    /// is obsolete.
    case renewed(HistoryID)
}

/// An event: a list has reached a revision. It is an object, because it is passed on often, and a copy of a change
/// would retain each favorite.
package final class ListChange: Sendable, Hashable {
    package let list: ListName
    package let revision: Int64
    /// Whether the store has the change at hand.
    package let hasChange: Bool
    /// The change; without contents if the store does not have it. Not optional, because a look into an optional change copies it.
    package let contents: FavoritesChange
    /// The digest of all changes up to this one; 0 if unknown. Ignored by `==`.
    package let digest: Int64
    /// Whether the list exists at the revision; true if unknown. Ignored by `==`.
    package let exists: Bool

    package init(_ list: ListName, _ change: consuming FavoritesChange, digest: Int64 = 0) {
        self.list = list
        self.digest = digest
        revision = change.revision
        exists = !change.isDeletion
        hasChange = true
        contents = change
    }

    package init(_ list: ListName, revision: Int64, digest: Int64 = 0, exists: Bool = true) {
        self.list = list
        self.revision = revision
        self.digest = digest
        self.exists = exists
        hasChange = false
        contents = FavoritesChange(revision: revision)
    }

    /// Nil if the store does not have the change at hand.
    package var change: FavoritesChange? { hasChange ? contents : nil }

    /// Applies the change to the ids of the list before it.
    package func apply(to ids: inout [Int64]) { contents.apply(to: &ids) }

    /// Returns the change if it directly follows a revision; nil if changes in between are missing, or this one is not
    /// at hand.
    package func change(after revision: Int64) -> FavoritesChange? {
        self.revision == revision + 1 ? change : nil
    }

    package static func == (left: ListChange, right: ListChange) -> Bool {
        left.list == right.list && left.revision == right.revision && left.change == right.change
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(list)
        hasher.combine(revision)
    }
}

package struct ListSnapshot: Sendable, Hashable {
    package var list: FavoritesList
    package var history: HistoryID

    package init(_ list: FavoritesList, in history: HistoryID) {
        self.list = list
        self.history = history
    }
}

public enum DesiredFavorite: Sendable, Hashable, CaseIterable {
    /// The opposite of the current state.
    case toggle
    /// Saved on the list. A character that is already on the list keeps its place, and nothing changes.
    case saved
    case removed
}

package struct Toggle: Sendable, Hashable {
    package typealias Desired = DesiredFavorite

    package var list: ListName
    package var characterID: Int64
    package var desired: Desired
    /// The key under which a repeat gets the same answer; nil for none.
    package var request: RequestKey?
    /// The caller, who owns the list if the toggle creates it.
    package var owner: ListOwner

    package init(
        list: ListName,
        characterID: Int64,
        desired: Desired = .toggle,
        request: RequestKey? = nil,
        owner: ListOwner = .nobody
    ) {
        self.list = list
        self.characterID = characterID
        self.desired = desired
        self.request = request
        self.owner = owner
    }

    /// Whether another toggle requests the same change under the same key, regardless of the owner.
    package func hasSameContents(as other: Toggle) -> Bool {
        list == other.list && characterID == other.characterID && desired == other.desired && request == other.request
    }
}

package enum ToggleOutcome: Sendable, Hashable {
    case done(ToggleResult)
    /// The toggle would save a character, but has no snapshot. Nothing changed.
    case characterNeeded
}

public struct ToggleResult: Sendable, Hashable {
    public var isFavorite: Bool
    /// The list's revision after the change, or the current one if nothing changed.
    public var revision: Int64
    /// The favorites that were evicted to make room, oldest first.
    public var evicted: [Favorite]
    /// The list's place at that revision; nil if the server sent none.
    public var place: FavoritesPlace?

    public init(isFavorite: Bool, revision: Int64, evicted: [Favorite] = [], place: FavoritesPlace? = nil) {
        self.isFavorite = isFavorite
        self.revision = revision
        self.evicted = evicted
        self.place = place
    }
}

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

    package var count: Int { ids.count }
}

public struct ListDeletion: Sendable, Hashable {
    /// The revision of the deletion, or for an unknown list the revision from which it would continue.
    public var revision: Int64
    public var existed: Bool
    /// The list's place at that revision; nil if the server sent none.
    public var place: FavoritesPlace?

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
    /// The caller owns its maximum number of lists; 0 for a caller without a name.
    case ownedListLimitReached(maximum: Int)
    /// The queue of waiting calls is full. Nothing was changed.
    case overloaded
    /// The deadline passed before the toggle was begun. Nothing was changed.
    case deadlineExceeded
    /// The task was cancelled during a read, or before a change was begun. Nothing was changed.
    case cancelled
    /// The disk is full or failing, or the file is read-only. Nothing was changed, and reads still work.
    case notWritable(String)
    /// The store cannot be read. Nothing was changed.
    case notReadable(String)
    /// The database cannot be reached at the moment. Nothing was changed.
    case unavailable(String)
    /// The commit failed or its connection was lost, so the change may have been made. A repeat with the same request
    /// id resolves this.
    case outcomeUnknown(String)
    /// A character with the id of a new one exists.
    case characterExists(Int64)
    /// The character was edited meanwhile: `current` is the revision of its last edit, 0 if it was never edited.
    case editConflict(current: Int64)
    /// The maximum number of edited characters is reached.
    case editLimitReached(maximum: Int)

    /// A list with corrupt rows: only this list is refused.
    package static func damaged(_ list: ListName) -> StoreError { .notReadable("list \(list) is damaged") }
}

/// For an operator: a call gets the texts of its method.
extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .requestIDReused: "the request id was used before"
        case .listLimitReached(let maximum): "the store has \(maximum) lists, its maximum"
        case .ownedListLimitReached(let maximum): "the caller owns \(maximum) lists, the maximum"
        case .overloaded: "too many calls are waiting for the store"
        case .deadlineExceeded: "the deadline passed"
        case .cancelled: "the call was cancelled"
        case .notWritable(let cause), .notReadable(let cause), .unavailable(let cause): cause
        case .outcomeUnknown(let cause): "the change may have been made: \(cause)"
        case .characterExists(let id): "a character with the id \(id) exists"
        case .editConflict: "the character was edited meanwhile"
        case .editLimitReached(let maximum): "the store has edits of \(maximum) characters, its maximum"
        }
    }
}
