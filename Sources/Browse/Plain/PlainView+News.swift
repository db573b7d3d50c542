internal import MarvelDomain

/// What is said although nobody asked.
extension PlainView {
    /// Gone and back again; not each try between.
    mutating func connectionNews(since before: BrowseModel) -> [String] {
        let connection = model.favorites.connection
        guard connection != before.favorites.connection else { return [] }
        switch connection {
        case .connecting: return []
        case .live:
            guard said.isLost else { return [] }
            said.isLost = false
            return [before.favorites.list == nil ? "Connected." : "The connection is back."]
        case .lost(let trouble, _):
            guard !said.isLost else { return [] }
            said.isLost = true
            return ["\(trouble.text) It is tried again by itself; type retry to try at once."]
        case .ended(let trouble):
            said.isLost = true
            return ["\(trouble.text) Type retry to connect again."]
        }
    }

    /// What the server has answered to the person's wishes.
    mutating func toggleNews(since before: BrowseModel) -> [String] {
        let message = model.message == before.message ? nil : model.message
        let answered = wishes.keys.first { before.toggles.isPending($0) && !model.toggles.isPending($0) }
        guard let answered, let wish = wishes.removeValue(forKey: answered) else {
            return message.map { [$0.text] } ?? []
        }
        if let message, message.kind == .failure {
            refused = wish
            return [message.text + (message.retry == nil ? "" : PlainWords.retryHint)]
        }
        let done = "\(wish.isFavorite ? "Saved" : "Removed") \(wish.character.shownName)."
        return [done] + (message.map { [$0.text] } ?? [])
    }

    /// What others have done to the list.
    mutating func listNews(since before: BrowseModel) -> [String] {
        guard let old = before.favorites.list, let new = model.favorites.list, old.revision != new.revision else {
            return []
        }
        let newIDs = model.favorites.ids
        let saved = new.favorites.map(\.character).filter { !before.favorites.ids.contains($0.id) }
        let removed = old.favorites.map(\.character).filter { !newIDs.contains($0.id) }
        let isEviction = !saved.isEmpty && old.favorites.count + saved.count > new.capacity
        let others = saved.filter { !isOwn($0, isFavorite: true, before) }
        // What leaves for a character that the person has saved is told with the answer to that.
        let gone = isEviction && others.isEmpty ? [] : removed.filter { !isOwn($0, isFavorite: false, before) }
        let late = tellLate(saved, isFavorite: true) + tellLate(removed, isFavorite: false)
        guard late.isEmpty else { return late }
        return PlainWords.othersSaved(others)
            + (isEviction ? PlainWords.madeRoom(gone) : PlainWords.othersRemoved(gone))
    }

    private func isOwn(_ character: MarvelCharacter, isFavorite: Bool, _ before: BrowseModel) -> Bool {
        before.toggles[character.id] == isFavorite
    }

    /// A wish that seemed to have failed has come to the server all the same.
    private mutating func tellLate(_ characters: [MarvelCharacter], isFavorite: Bool) -> [String] {
        guard let refused, refused.isFavorite == isFavorite,
            characters.contains(where: { $0.id == refused.character.id })
        else { return [] }
        self.refused = nil
        return ["\(refused.character.shownName) was \(isFavorite ? "saved" : "removed") all the same."]
    }
}

extension FavoritesState.Connection {
    /// Why there is none.
    var trouble: Trouble? {
        switch self {
        case .connecting, .live: nil
        case .lost(let trouble, _), .ended(let trouble): trouble
        }
    }
}
