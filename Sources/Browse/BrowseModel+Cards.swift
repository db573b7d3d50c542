package import MarvelDomain

/// What the cards on the screen are.
package enum CardList: Sendable, Hashable {
    case recentSearches
    case results
    case favorites
}

/// What is known of one card on the screen.
package struct Card: Sendable, Equatable {
    package var character: MarvelCharacter
    package var isSelected: Bool
    package var isFavorite: Bool
    /// The server has not answered the last toggle yet.
    package var isPending: Bool
    package var picture: Pictures.State
    /// Parts of `character.name` that match what was searched for.
    package var highlights: [Range<String.Index>]
}

extension BrowseModel {
    package var list: CardList {
        switch tab {
        case .favorites: .favorites
        case .search: search.showsRecentSearches ? .recentSearches : .results
        }
    }

    /// How many cards the list has, on the screen or not.
    package var count: Int {
        switch list {
        case .recentSearches: search.recent.queries.count
        case .results: search.results?.count ?? 0
        case .favorites: favorites.favorites.count
        }
    }

    package var cursor: CardCursor {
        switch list {
        case .recentSearches: search.recent.cursor
        case .results: search.results?.cursor ?? CardCursor()
        case .favorites: favorites.cursor
        }
    }

    /// Whether keys go to the cards.
    package var cardsHaveFocus: Bool { tab == .favorites || search.focus == .cards }

    mutating func moveCursor(_ move: (inout CardCursor, CardGrid, Int) -> Void) {
        let (grid, count) = (layout.grid, count)
        var cursor = cursor
        move(&cursor, grid, count)
        guard cursor != self.cursor else { return }
        switch list {
        case .recentSearches: search.recent.cursor = cursor
        case .results: search.moveCursor(ofResults: cursor)
        case .favorites: favorites.cursor = cursor
        }
    }

    /// The character at a place of the list, if it is here.
    package func character(at place: Int) -> MarvelCharacter? {
        switch list {
        case .recentSearches: nil
        case .results: search.results?.rows[place]
        case .favorites: favorites.favorites.indices.contains(place) ? favorites.favorites[place].character : nil
        }
    }

    package var selectedCharacter: MarvelCharacter? { character(at: cursor.selected) }

    /// Nil where the row has not come yet.
    package func card(at place: Int) -> Card? {
        guard let character = character(at: place) else { return nil }
        return Card(
            character: character,
            isSelected: place == cursor.selected && cardsHaveFocus,
            isFavorite: isFavorite(character.id),
            isPending: toggles.isPending(character.id),
            picture: picture(of: character, .card),
            highlights: highlights(in: character.name)
        )
    }

    package func picture(of character: MarvelCharacter, _ size: PictureKey.Size) -> Pictures.State {
        character.thumbnail == nil ? .none : pictures[PictureKey(character.id, size)]
    }

    /// What the person wants, or else what the list says, or else, before that is known, what the search said.
    package func isFavorite(_ id: Int64) -> Bool {
        if let wish = toggles[id] { return wish }
        guard favorites.list == nil else { return favorites.ids.contains(id) }
        return search.results?.favoriteIDs.contains(id) ?? false
    }

    /// When a favorite was saved.
    package func savedAt(_ id: Int64) -> Timestamp? {
        favorites.favorites.first { $0.character.id == id }?.savedAt
    }

    private func highlights(in name: String) -> [Range<String.Index>] {
        guard list == .results, let results = search.results else { return [] }
        return Highlight(results.query, match: results.match).ranges(in: name)
    }
}
