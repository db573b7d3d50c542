package import MarvelDomain

/// The last change that the person made to the list, which `u` takes back.
package struct LastChange: Sendable, Equatable {
    package var character: MarvelCharacter
    /// Whether it was saved; else it was removed.
    package var wasSaved: Bool
    /// Favorites that left the list to make room for it.
    package var evicted: [MarvelCharacter] = []

    init(_ wish: FavoriteWish) {
        character = wish.character
        wasSaved = wish.isFavorite
    }
}

extension BrowseModel {
    /// Undoes the last change. Favorites that it had evicted are saved again once there is room for them.
    mutating func takeBack() -> [BrowseEffect] {
        guard let change = lastChange else { return show(Message("There is no change to take back.")) }
        lastChange = nil
        undo = change.wasSaved ? change : nil
        let name = change.character.shownName
        let news = Message(change.wasSaved ? "Taken back: \(name) is removed." : "Taken back: \(name) is saved again.")
        return wish(FavoriteWish(character: change.character, isFavorite: !change.wasSaved)) + show(news)
    }

    /// Notes what a toggle has evicted, and goes on with a change that is being taken back.
    mutating func follow(_ answer: ToggleResult, of id: Int64) -> [BrowseEffect] {
        let evicted = answer.evicted.map(\.character)
        if lastChange?.character.id == id, answer.isFavorite { lastChange?.evicted += evicted }
        guard undo?.character.id == id else { return [] }
        undo?.evicted += evicted
        guard !answer.isFavorite, let restored = undo?.evicted else { return [] }
        undo = nil
        return restored.flatMap { wish(FavoriteWish(character: $0, isFavorite: true)) }
    }

    /// A change that was refused cannot be taken back.
    mutating func forgetChange(of id: Int64) {
        if lastChange?.character.id == id { lastChange = nil }
        if undo?.character.id == id { undo = nil }
    }
}
