package import MarvelDomain

package enum CardList: Sendable, Hashable {
    case recentSearches
    case results
    case favorites
}

package struct Card: Sendable, Equatable {
    package var character: MarvelCharacter
    package var isSelected: Bool
    package var isFavorite: Bool
    /// Whether the last toggle has no answer yet.
    package var isPending: Bool
    package var picture: Pictures.State
    /// The parts of `character.name` that match the query.
    package var highlights: [Range<String.Index>]
}

extension BrowseModel {
    package var list: CardList {
        switch tab {
        case .favorites: .favorites
        case .search: search.showsRecentSearches ? .recentSearches : .results
        }
    }

    package var count: Int {
        switch list {
        case .recentSearches: search.recent.queries.count
        case .results: search.results?.count ?? 0
        case .favorites: favorites.favorites.count
        }
    }

    package internal(set) var cursor: CardCursor {
        get { self[keyPath: cursorPath] }
        set { self[keyPath: cursorPath] = newValue }
    }

    private var cursorPath: WritableKeyPath<BrowseModel, CardCursor> {
        switch list {
        case .recentSearches: \.search.recent.cursor
        case .results: \.search.resultsCursor
        case .favorites: \.favorites.cursor
        }
    }

    package var cardsHaveFocus: Bool { tab == .favorites || search.focus == .cards }

    mutating func moveCursor(_ move: (inout CardCursor, CardGrid, Int) -> Void) {
        let (grid, count) = (layout.grid, count)
        move(&cursor, grid, count)
    }

    /// Nil if it is not loaded.
    package func character(at place: Int) -> MarvelCharacter? {
        switch list {
        case .recentSearches: nil
        case .results: search.results?.rows[place]
        case .favorites: favorites.favorites.indices.contains(place) ? favorites.favorites[place].character : nil
        }
    }

    package var selectedCharacter: MarvelCharacter? { character(at: cursor.selected) }

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

    /// Whether a character is a favorite: by the user's pending change, else by the list, else by the search results.
    package func isFavorite(_ id: Int64) -> Bool {
        if let isWanted = toggles[id] { return isWanted }
        guard favorites.list == nil else { return favorites.ids.contains(id) }
        return search.results?.favoriteIDs.contains(id) ?? false
    }

    package func savedAt(_ id: Int64) -> Timestamp? {
        favorites.favorites.first { $0.character.id == id }?.savedAt
    }

    private func highlights(in name: String) -> [Range<String.Index>] {
        guard list == .results, let results = search.results else { return [] }
        return Highlight(results.query, match: results.match).ranges(in: name)
    }
}
