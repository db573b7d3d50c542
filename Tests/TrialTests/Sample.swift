import MarvelDomain
import Testing
import TrialChecks

/// A list of two places and its log, with what each client was told: all is well in it.
struct Sample {
    static let capacity = 2

    /// Its character and its hour have the same number.
    static func favorite(_ id: Int64) -> Favorite {
        Favorite(character: MarvelCharacter(id: id, name: "Character \(id)"), savedAt: Timestamp(seconds: id))
    }

    static func list(_ ids: [Int64], at revision: Int64) -> FavoritesList {
        FavoritesList(favorites: ids.map(favorite), revision: revision, capacity: capacity)
    }

    static func saved(_ id: Int64, evicting evicted: [Int64] = [], at revision: Int64) -> FavoritesChange {
        FavoritesChange(revision: revision, saved: favorite(id), evicted: evicted.map(favorite))
    }

    static func removed(_ id: Int64, at revision: Int64) -> FavoritesChange {
        FavoritesChange(revision: revision, removed: favorite(id))
    }

    static func told(_ isFavorite: Bool, at revision: Int64, evicted: [Int64] = []) -> ToggleResult {
        ToggleResult(isFavorite: isFavorite, revision: revision, evicted: evicted.map(favorite))
    }

    static func id(_ name: String) throws -> RequestID { try #require(RequestID(name)) }

    /// Each was sent after the one before had been answered, unless told otherwise.
    static func toggle(
        _ name: String,
        _ wish: DesiredFavorite,
        _ characterID: Int64,
        from sent: Int64,
        to answered: Int64,
        _ answer: ToggleResult
    ) throws -> AnsweredToggle {
        AnsweredToggle(try id(name), wish, characterID, sent: sent, answered: answered, answer: answer)
    }

    /// From [1] at revision 10: 2 saved, 3 saved and 1 evicted, 2 removed. "b2" and "d" changed nothing.
    static func check() throws -> HistoryCheck {
        HistoryCheck(
            base: list([1], at: 10),
            log: [saved(2, at: 11), saved(3, evicting: [1], at: 12), removed(2, at: 13)],
            list: list([3], at: 13),
            toggles: [
                try toggle("a", .toggle, 2, from: 0, to: 1, told(true, at: 11)),
                try toggle("b", .saved, 3, from: 2, to: 5, told(true, at: 12, evicted: [1])),
                try toggle("b2", .saved, 3, from: 3, to: 4, told(true, at: 12)),
                try toggle("c", .removed, 2, from: 6, to: 7, told(false, at: 13)),
                try toggle("d", .removed, 9, from: 8, to: 9, told(false, at: 13)),
            ]
        )
    }
}
