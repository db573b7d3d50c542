/// A decided change of a list, which names leaving favorites by id.
package struct ListEdit: Sendable, Hashable {
    package var saved: Favorite?
    package var removed: Int64?
    /// Oldest first.
    package var evicted: [Int64]
    /// The favorites of a deleted list, oldest first.
    package var cleared: [Int64]
    package var isDeletion: Bool

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

    /// Converts the edit for readers. `held` returns a favorite that is on the list.
    package func change<Failure>(
        at revision: Int64,
        held: (Int64) throws(Failure) -> Favorite
    ) throws(Failure) -> FavoritesChange {
        var change = FavoritesChange(revision: revision, saved: saved, isDeletion: isDeletion)
        if let removed { change.removed = try held(removed) }
        for id in evicted { change.evicted.append(try held(id)) }
        for id in cleared { change.cleared.append(try held(id)) }
        return change
    }
}
