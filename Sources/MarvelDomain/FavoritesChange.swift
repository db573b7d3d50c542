public struct FavoritesChange: Sendable, Hashable {
    public var revision: Int64
    public var saved: Favorite?
    public var removed: Favorite?
    /// The favorites that were evicted to make room, oldest first.
    public var evicted: [Favorite]
    /// The favorites that were on the list when it was deleted, oldest first.
    public var cleared: [Favorite]
    public var isDeletion: Bool

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
    package func forEachLeavingID(_ body: (Int64) -> Void) {
        for favorite in evicted { body(favorite.character.id) }
        for favorite in cleared { body(favorite.character.id) }
        if let removed { body(removed.character.id) }
    }

    package func apply(to ids: inout [Int64]) {
        forEachLeavingID { ids.remove($0) }
        if let saved { ids.append(saved.character.id) }
    }
}

extension [Int64] {
    mutating func remove(_ id: Int64) {
        if let place = firstIndex(of: id) { remove(at: place) }
    }
}

/// A store's answer to a request for the changes after a revision.
package enum ChangeHistory: Sendable, Hashable {
    /// Oldest first and without gaps, up to the requested number.
    case changes([FavoritesChange])
    /// Some changes are no longer kept. `oldest` is the smallest available revision.
    case compacted(oldest: Int64)
    /// The revision is newer than the list's current one.
    case ahead(current: Int64)
}

extension FavoritesList {
    /// `change` must be the one after the list's revision.
    package mutating func apply(_ change: FavoritesChange) {
        change.forEachLeavingID { id in favorites.removeAll { $0.character.id == id } }
        if let saved = change.saved { favorites.append(saved) }
        revision = change.revision
    }
}
