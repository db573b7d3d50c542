/// A saved character. It is a snapshot, so that a list can be shown while the catalog is unavailable.
public struct Favorite: Sendable, Hashable {
    public var character: MarvelCharacter
    public var savedAt: Timestamp

    public init(character: MarvelCharacter, savedAt: Timestamp) {
        self.character = character
        self.savedAt = savedAt
    }
}

public struct FavoritesList: Sendable, Hashable {
    /// The favorites, oldest first.
    public var favorites: [Favorite]
    /// The number of changes so far: 0 at first, one more with each change, without gaps.
    public var revision: Int64
    public var capacity: Int

    public init(favorites: [Favorite], revision: Int64, capacity: Int) {
        self.favorites = favorites
        self.revision = revision
        self.capacity = capacity
    }
}
