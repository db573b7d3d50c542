internal import MarvelDomain

struct FavoriteChange: Sendable, Equatable {
    var character: MarvelCharacter
    var isFavorite: Bool
    /// The favorites that were evicted to make room.
    var evicted: [MarvelCharacter] = []
}

extension BrowseModel {
    /// Undoes the last change. It saves favorites again that the change evicted, once there is room.
    ///
    /// A list is in the order of saving, so restored favorites become the newest, and the message says so.
    mutating func undoLastChange() -> [BrowseEffect] {
        guard let change = lastChange else { return show(Message("There is nothing to undo.")) }
        lastChange = nil
        undo = change.isFavorite ? change : nil
        let name = change.character.shownName
        let text =
            change.isFavorite
            ? "Undone: \(name) was removed." : "Undone: \(name) was saved again, as your newest favorite."
        let opposite = FavoriteChange(character: change.character, isFavorite: !change.isFavorite)
        return request(opposite) + show(Message(text))
    }

    /// Records the favorites that a toggle evicted, and continues an undo in progress.
    mutating func follow(_ answer: ToggleResult, of id: Int64) -> [BrowseEffect] {
        let evicted = answer.evicted.map(\.character)
        if lastChange?.character.id == id, answer.isFavorite { lastChange?.evicted += evicted }
        guard undo?.character.id == id else { return [] }
        undo?.evicted += evicted
        guard !answer.isFavorite, let restored = undo?.evicted else { return [] }
        let removed = undo?.character.shownName ?? ""
        undo = nil
        guard !restored.isEmpty else { return [] }
        let names = restored.map(\.shownName).joined(separator: ", ")
        let place =
            restored.count == 1
            ? "was saved again, as your newest favorite" : "were saved again, as your newest favorites"
        let message = Message("Undone: \(removed) was removed, and \(names) \(place).")
        return restored.flatMap { request(FavoriteChange(character: $0, isFavorite: true)) } + show(message)
    }

    /// Forgets a refused change, because it cannot be undone.
    mutating func forgetChange(of id: Int64) {
        if lastChange?.character.id == id { lastChange = nil }
        if undo?.character.id == id { undo = nil }
    }
}
