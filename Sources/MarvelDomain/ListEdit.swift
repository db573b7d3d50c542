/// A change of a list before it is made: a `FavoritesChange` without its revision.
package struct ListEdit: Sendable, Hashable {
    package var saved: Favorite?
    package var removed: Favorite?
    /// The evicted favorites, oldest first.
    package var evicted: [Favorite]
    /// The favorites of a list that is deleted, oldest first.
    package var cleared: [Favorite]
    package var isDeletion: Bool

    package init(
        saved: Favorite? = nil,
        removed: Favorite? = nil,
        evicted: [Favorite] = [],
        cleared: [Favorite] = [],
        isDeletion: Bool = false
    ) {
        self.saved = saved
        self.removed = removed
        self.evicted = evicted
        self.cleared = cleared
        self.isDeletion = isDeletion
    }

    /// Calls `body` with the id of each favorite that leaves the list.
    package func forEachLeavingID(_ body: (Int64) -> Void) {
        FavoritesChange.forEachLeavingID(evicted, cleared, removed, body)
    }

    /// Applies the edit to the ids on the list, oldest first.
    package func apply(to ids: inout [Int64]) {
        forEachLeavingID { ids.remove($0) }
        if let saved { ids.append(saved.character.id) }
    }

    /// Returns the ids on a list after the edit, oldest first.
    package func applied(to ids: [Int64]) -> [Int64] {
        var ids = ids
        apply(to: &ids)
        return ids
    }

    /// Returns the edit as readers get it.
    ///
    /// - Parameter revision: The list's revision after it.
    /// - Returns: The change.
    package func change(at revision: Int64) -> FavoritesChange {
        FavoritesChange(
            revision: revision,
            saved: saved,
            removed: removed,
            evicted: evicted,
            cleared: cleared,
            isDeletion: isDeletion
        )
    }
}
