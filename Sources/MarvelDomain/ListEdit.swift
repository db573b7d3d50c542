/// A change of a list as it is decided: what leaves the list is named by its id alone.
package struct ListEdit: Sendable, Hashable {
    package var saved: Favorite?
    package var removed: Int64?
    /// The evicted favorites, oldest first.
    package var evicted: [Int64]
    /// The favorites of a list that is deleted, oldest first.
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

    /// Calls `body` with the id of each favorite that leaves the list.
    package func forEachLeavingID(_ body: (Int64) throws -> Void) rethrows {
        for id in evicted { try body(id) }
        for id in cleared { try body(id) }
        if let removed { try body(removed) }
    }

    /// Returns the edit as readers get it.
    ///
    /// - Parameters:
    ///   - revision: The list's revision after it.
    ///   - held: Returns a favorite that is on the list.
    /// - Returns: The change.
    /// - Throws: The error of `held`.
    package func change(at revision: Int64, held: (Int64) throws -> Favorite) rethrows -> FavoritesChange {
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
