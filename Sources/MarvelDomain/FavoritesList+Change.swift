extension FavoritesList {
    /// Applies `change`, which must be the one after the list's revision.
    package mutating func apply(_ change: FavoritesChange) {
        let removedIDs = (change.evicted + change.cleared + [change.removed].compactMap(\.self)).map(\.character.id)
        favorites.removeAll { removedIDs.contains($0.character.id) }
        for favorite in change.updated {
            let place = favorites.firstIndex { $0.character.id == favorite.character.id }
            if let place { favorites[place] = favorite }
        }
        if let saved = change.saved { favorites.append(saved) }
        revision = change.revision
    }
}
