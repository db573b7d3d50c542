/// A favorite in the form in which a store holds it.
package protocol HeldFavorite {
    /// - Throws: If the store cannot hold it.
    init(_ favorite: Favorite) throws

    var favorite: Favorite { get }
}

extension Favorite: HeldFavorite {
    package init(_ favorite: Favorite) { self = favorite }

    package var favorite: Favorite { self }
}

/// A change of a list before it is made: a `FavoritesChange` without its revision.
package struct ListEdit<Held: HeldFavorite> {
    package var saved: Held?
    package var removed: Held?
    /// Oldest first.
    package var evicted: [Held]
    /// As they are from now on.
    package var updated: [Held]
    /// Everything on a list that is deleted, oldest first.
    package var cleared: [Held]
    package var isDeletion: Bool

    package init(
        saved: Held? = nil,
        removed: Held? = nil,
        evicted: [Held] = [],
        updated: [Held] = [],
        cleared: [Held] = [],
        isDeletion: Bool = false
    ) {
        self.saved = saved
        self.removed = removed
        self.evicted = evicted
        self.updated = updated
        self.cleared = cleared
        self.isDeletion = isDeletion
    }

    /// The ids that leave the list.
    package var leavingIDs: Set<Int64> {
        Set((evicted + cleared + [removed].compactMap(\.self)).map(\.favorite.character.id))
    }

    /// Returns the ids on a list after the edit, oldest first.
    package func applied(to ids: [Int64]) -> [Int64] {
        let leaving = leavingIDs
        return ids.filter { !leaving.contains($0) } + [saved?.favorite.character.id].compactMap(\.self)
    }

    /// Returns the edit as readers get it.
    ///
    /// - Parameter revision: The list's revision after it.
    /// - Returns: The change.
    package func change(at revision: Int64) -> FavoritesChange {
        FavoritesChange(
            revision: revision,
            saved: saved?.favorite,
            removed: removed?.favorite,
            evicted: evicted.map(\.favorite),
            updated: updated.map(\.favorite),
            cleared: cleared.map(\.favorite),
            isDeletion: isDeletion
        )
    }
}
