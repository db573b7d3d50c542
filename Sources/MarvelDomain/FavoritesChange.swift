/// One change of a list: all that one toggle did together, an edit of characters that are on it, or its deletion.
public struct FavoritesChange: Sendable, Hashable {
    /// The list's revision after this change.
    public var revision: Int64
    /// What was saved, if anything.
    public var saved: Favorite?
    /// What a caller removed, if anything.
    public var removed: Favorite?
    /// What had to leave to make room, oldest first.
    public var evicted: [Favorite]
    /// Favorites whose snapshot was brought up to date.
    public var updated: [Favorite]
    /// The favorites that were on the list when it was deleted, oldest first.
    public var cleared: [Favorite]
    /// Whether the list was deleted. Its name keeps counting: a list of that name goes on from this revision.
    public var isDeletion: Bool

    public init(
        revision: Int64,
        saved: Favorite? = nil,
        removed: Favorite? = nil,
        evicted: [Favorite] = [],
        updated: [Favorite] = [],
        cleared: [Favorite] = [],
        isDeletion: Bool = false
    ) {
        self.revision = revision
        self.saved = saved
        self.removed = removed
        self.evicted = evicted
        self.updated = updated
        self.cleared = cleared
        self.isDeletion = isDeletion
    }
}

/// What a store can tell of the changes behind a revision.
package enum ChangeHistory: Sendable, Hashable {
    /// The changes that follow, oldest first and without gaps: as many as were asked for, or all there are.
    case changes([FavoritesChange])
    /// Some that follow are no longer kept. `oldest` is the smallest revision that works.
    case compacted(oldest: Int64)
    /// The list has not come so far.
    case ahead(current: Int64)
}
