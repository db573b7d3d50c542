/// A saved character: a snapshot, so that the list is whole when the catalog is not there.
public struct Favorite: Sendable, Hashable {
    public var character: MarvelCharacter
    public var savedAt: Timestamp

    public init(character: MarvelCharacter, savedAt: Timestamp) {
        self.character = character
        self.savedAt = savedAt
    }
}

/// A list at one revision.
public struct FavoritesList: Sendable, Hashable {
    /// Oldest first.
    public var favorites: [Favorite]
    /// 0 before the first change, one more with each change, no gaps.
    public var revision: Int64
    /// How many favorites the list can hold.
    public var capacity: Int

    public init(favorites: [Favorite], revision: Int64, capacity: Int) {
        self.favorites = favorites
        self.revision = revision
        self.capacity = capacity
    }
}
