/// One change of a list: all effects of one toggle, or the deletion of the list.
public struct FavoritesChange: Sendable, Hashable {
    /// The list's revision after this change.
    public var revision: Int64
    /// The favorite that was saved, if any.
    public var saved: Favorite?
    /// The favorite that a caller removed, if any.
    public var removed: Favorite?
    /// The favorites that were evicted to make room, oldest first.
    public var evicted: [Favorite]
    /// The favorites that were on the list when it was deleted, oldest first.
    public var cleared: [Favorite]
    /// Whether the list was deleted. A new list of the same name continues from this revision.
    public var isDeletion: Bool

    /// Makes a change.
    public init(
        revision: Int64,
        saved: Favorite? = nil,
        removed: Favorite? = nil,
        evicted: [Favorite] = [],
        cleared: [Favorite] = [],
        isDeletion: Bool = false
    ) {
        self.revision = revision
        self.saved = saved
        self.removed = removed
        self.evicted = evicted
        self.cleared = cleared
        self.isDeletion = isDeletion
    }
}

extension FavoritesChange {
    /// Calls `body` with the id of each favorite that leaves the list.
    package func forEachLeavingID(_ body: (Int64) -> Void) {
        for favorite in evicted { body(favorite.character.id) }
        for favorite in cleared { body(favorite.character.id) }
        if let removed { body(removed.character.id) }
    }

    /// Applies the change to the ids on the list, oldest first.
    package func apply(to ids: inout [Int64]) {
        forEachLeavingID { ids.remove($0) }
        if let saved { ids.append(saved.character.id) }
    }
}

extension [Int64] {
    /// Removes an id, which is on a list at most once.
    mutating func remove(_ id: Int64) {
        if let place = firstIndex(of: id) { remove(at: place) }
    }
}

/// The answer of a store that was asked for the changes after a revision.
package enum ChangeHistory: Sendable, Hashable {
    /// The changes after the revision, oldest first and without gaps, up to the requested number.
    case changes([FavoritesChange])
    /// Some changes after the revision are no longer kept. `oldest` is the smallest revision that can be asked for.
    case compacted(oldest: Int64)
    /// The revision is newer than the list's current one.
    case ahead(current: Int64)
}

extension FavoritesList {
    /// Applies `change`, which must be the one after the list's revision.
    package mutating func apply(_ change: FavoritesChange) {
        change.forEachLeavingID { id in favorites.removeAll { $0.character.id == id } }
        if let saved = change.saved { favorites.append(saved) }
        revision = change.revision
    }
}
