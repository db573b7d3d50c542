/// A saved character. It is a snapshot, so that a list can be shown while the catalog is unavailable.
public struct Favorite: Sendable, Hashable {
    /// The character as it was when it was saved.
    public var character: MarvelCharacter
    /// The time of the save.
    public var savedAt: Timestamp

    /// Makes a favorite.
    public init(character: MarvelCharacter, savedAt: Timestamp) {
        self.character = character
        self.savedAt = savedAt
    }
}

/// A favorites list at one revision.
public struct FavoritesList: Sendable, Hashable {
    /// The favorites, oldest first.
    public var favorites: [Favorite]
    /// The number of changes so far: 0 before the first change, one more with each change, without gaps.
    public var revision: Int64
    /// The maximum number of favorites on the list.
    public var capacity: Int

    /// Makes a list.
    public init(favorites: [Favorite], revision: Int64, capacity: Int) {
        self.favorites = favorites
        self.revision = revision
        self.capacity = capacity
    }
}
