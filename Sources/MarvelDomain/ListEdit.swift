/// A decided change of a list, which names leaving favorites by id.
@usableFromInline
package struct ListEdit: Sendable, Hashable {
    @usableFromInline package var saved: Favorite?
    @usableFromInline package var removed: Int64?
    /// Oldest first.
    @usableFromInline package var evicted: [Int64]
    /// The favorites of a deleted list, oldest first.
    @usableFromInline package var cleared: [Int64]
    @usableFromInline package var isDeletion: Bool

    package init(
        saved: Favorite? = nil,
        removed: Int64? = nil,
        evicted: [Int64] = [],
        cleared: [Int64] = [],
        isDeletion: Bool = false
    ) {
        self.saved = saved
        self.removed = removed
        self.evicted = evicted
        self.cleared = cleared
        self.isDeletion = isDeletion
    }

    package func forEachLeavingID(_ body: (Int64) throws -> Void) rethrows {
        for id in evicted { try body(id) }
        for id in cleared { try body(id) }
        if let removed { try body(removed) }
    }

    /// Converts the edit for readers. `held` returns a favorite that is on the list. It is inlinable, because a generic call
    /// into another target costs more than all of its work.
    @inlinable package func change<Failure>(
        at revision: Int64,
        held: (Int64) throws(Failure) -> Favorite
    ) throws(Failure) -> FavoritesChange {
        FavoritesChange(
            revision: revision,
            saved: saved,
            removed: try removed.map(held),
            evicted: try evicted.map(held),
            cleared: try cleared.map(held),
            isDeletion: isDeletion
        )
    }
}
