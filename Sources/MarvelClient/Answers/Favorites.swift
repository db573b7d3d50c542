public import MarvelDomain
internal import WireMessages

/// What a list shall say of a character after a toggle.
public enum DesiredFavorite: Sendable, Hashable, CaseIterable {
    /// The opposite of what it says now.
    case toggle
    /// On the list. One that is saved already keeps its place, and nothing changes.
    case saved
    /// Not on the list.
    case removed
}

extension DesiredValue {
    init(_ desired: DesiredFavorite) {
        switch desired {
        case .toggle: self = .toggle
        case .saved: self = .saved
        case .removed: self = .removed
        }
    }
}

/// A list of favorites that was asked for.
public struct ListedFavorites: Sendable, Hashable {
    public var list: FavoritesList
    /// The line that must be shown with the data.
    public var attribution: String
    /// The list's place at its revision; nil if the server tells none.
    public var place: FavoritesPlace?

    public init(list: FavoritesList, attribution: String = "", place: FavoritesPlace? = nil) {
        self.list = list
        self.attribution = attribution
        self.place = place
    }
}

extension ListedFavorites {
    init(_ response: ListFavoritesResponse) {
        let list = FavoritesList(
            favorites: response.favorites,
            revision: response.revision,
            capacity: Int(response.capacity)
        )
        self.init(list: list, attribution: response.attribution, place: FavoritesPlace(received: response.place))
    }
}

extension ToggleResult {
    init(_ response: ToggleFavoriteResponse) {
        self.init(
            isFavorite: response.isFavorite,
            revision: response.revision,
            evicted: response.evicted,
            place: FavoritesPlace(received: response.place)
        )
    }
}

extension FavoritesPlace {
    /// Nil if the server has sent none.
    init?(received text: String) {
        guard !text.isEmpty else { return nil }
        self.init(text)
    }
}
