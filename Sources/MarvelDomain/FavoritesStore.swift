/// A durable store of favorites lists. An acknowledged toggle is never lost nor applied twice.
package protocol FavoritesStore: Sendable {
    /// The history in which the revisions of the store's lists count, as long as it is open.
    var history: HistoryID { get }

    /// The ids on a list now, oldest first; empty for a list that does not exist. From memory, never waits.
    func favoriteIDs(_ list: ListName) -> [Int64]

    /// Waits until all that is read here is at least as new as a revision of the store's history.
    ///
    /// - Returns: Whether it is. If not, the list has not come so far, and waiting longer does not help.
    /// - Throws: `StoreError.notReadable`.
    func reach(_ revision: Int64, of list: ListName) async throws(StoreError) -> Bool

    /// The list with its favorites; an unknown list is empty, at the revision where a list of that name would begin.
    func favorites(_ list: ListName) async throws(StoreError) -> FavoritesList

    /// Saves or removes, in one transaction: the change, the eviction it causes, the revision, and the answer kept
    /// under the request id.
    ///
    /// - Parameters:
    ///   - toggle: What is asked.
    ///   - character: The snapshot to save, of the character that the toggle names. Without it a toggle that would
    ///     save changes nothing and returns `.characterNeeded`; a removal, a repeat of an answered request, and a save
    ///     of what is saved need none.
    ///   - deadline: The time at which the caller leaves; nil if it stays. A toggle that was not begun by then, or
    ///     before the calling task was cancelled, is not begun any more. One that was begun commits or fails as a whole.
    /// - Returns: What was done, after the transaction is on disk.
    /// - Throws: `StoreError`; then nothing changed, and the same request may be sent again. Only where the disk failed
    ///   to keep it may it be there all the same, which the same request then tells.
    func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> ToggleOutcome

    /// Brings characters up to date on every list that holds them as they no longer are: with one change (`updated`) of
    /// each such list. Where the snapshots are up to date nothing changes, so it may be repeated.
    ///
    /// - Parameters:
    ///   - ids: The characters.
    ///   - current: What a character is now; nil leaves it as it was saved. It is asked where changes are made, one
    ///     after the other, so that what is newest is what stays. It must be quick.
    /// - Returns: How many lists changed, once that is on disk.
    /// - Throws: `StoreError.notWritable`; then some lists may have changed and some not.
    func bringUpToDate(
        _ ids: Set<Int64>,
        to current: @escaping @Sendable (Int64) -> MarvelCharacter?
    ) async throws(StoreError) -> Int

    /// Deletes a list with all that is on it, in one change that its watchers get. Another list may be made in its
    /// place, and one of the same name goes on counting where this one ended.
    ///
    /// - Returns: The revision at which the list ended, or the one of a list that is not there, for which nothing changed.
    /// - Throws: `StoreError.notWritable`; then nothing changed.
    func delete(_ list: ListName) async throws(StoreError) -> ListDeletion

    /// The changes of a list after `revision`.
    ///
    /// - Parameters:
    ///   - list: An unknown list is at the revision where it would begin.
    ///   - revision: Not negative.
    ///   - limit: How many to return at most, above 0.
    /// - Returns: The changes, or why there are none to be had.
    /// - Throws: `StoreError.notReadable`.
    func changes(of list: ListName, after revision: Int64, limit: Int) async throws(StoreError) -> ChangeHistory

    /// Has `observer` called with every change that is made from now on, once it is on disk and before the caller who
    /// made it is answered: the changes of one list in the order of their revisions, never two at a time.
    ///
    /// It is called where changes are made, so it must be quick. A later call replaces the observer.
    func observeChanges(_ observer: @escaping @Sendable (ListName, FavoritesChange) -> Void)
}

extension FavoritesStore {
    /// Saves or removes for a caller that stays until it is answered.
    package func toggle(_ toggle: Toggle, character: MarvelCharacter?) async throws(StoreError) -> ToggleOutcome {
        try await self.toggle(toggle, character: character, deadline: nil)
    }
}

/// A wish to save, remove or flip one character on one list.
package struct Toggle: Sendable, Hashable {
    package enum Desired: Sendable, Hashable {
        case toggle
        case saved
        case removed
    }

    package var list: ListName
    package var characterID: Int64
    package var desired: Desired
    package var requestID: RequestID?

    package init(list: ListName, characterID: Int64, desired: Desired = .toggle, requestID: RequestID? = nil) {
        self.list = list
        self.characterID = characterID
        self.desired = desired
        self.requestID = requestID
    }
}

package enum ToggleOutcome: Sendable, Hashable {
    case done(ToggleResult)
    /// It would save, and the snapshot is missing. Nothing changed.
    case characterNeeded
}

/// What a toggle did.
public struct ToggleResult: Sendable, Hashable {
    /// Whether the character is on the list now.
    public var isFavorite: Bool
    /// The list's revision after the change, or the current one if nothing changed.
    public var revision: Int64
    /// What had to leave to make room, oldest first.
    public var evicted: [Favorite]
    /// The list's place at that revision; nil if the server tells none.
    public var place: FavoritesPlace?

    public init(isFavorite: Bool, revision: Int64, evicted: [Favorite] = [], place: FavoritesPlace? = nil) {
        self.isFavorite = isFavorite
        self.revision = revision
        self.evicted = evicted
        self.place = place
    }
}

/// The outcome of the deletion of a list.
package struct ListDeletion: Sendable, Hashable {
    /// The revision of the deletion, or the list's own if there was nothing to delete.
    package var revision: Int64
    /// Whether there was such a list.
    package var existed: Bool

    package init(revision: Int64, existed: Bool) {
        self.revision = revision
        self.existed = existed
    }
}

/// Why the store could not do what it was asked. Details (paths, SQL) go to the log, not in here.
package enum StoreError: Error, Sendable, Hashable {
    /// The same request id came before with other contents.
    case requestIDReused
    /// There are as many lists as the operator allows.
    case listLimitReached(maximum: Int)
    /// More toggles wait for the disk than it will manage in time. Nothing was changed.
    case overloaded
    /// The caller's deadline passed before the toggle was begun. Nothing was changed.
    case deadlineExceeded
    /// The caller's task was cancelled before the toggle was begun. Nothing was changed.
    case cancelled
    /// The disk is full or failing, or the file is read-only; reads go on.
    case notWritable(String)
    /// The store cannot be read.
    case notReadable(String)
}
