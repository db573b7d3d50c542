internal import MarvelDomain

/// Announcements that are not answers to an input.
extension PlainView {
    /// Announces that the connection was lost or is open again, but not each attempt in between.
    mutating func connectionAnnouncements(since before: BrowseModel) -> [String] {
        let connection = model.favorites.connection
        guard connection != before.favorites.connection else { return [] }
        switch connection {
        case .connecting: return []
        case .live:
            guard announced.isLost else { return [] }
            announced.isLost = false
            return [before.favorites.list == nil ? "Connected." : "The connection is back."]
        case .lost(let failure, _):
            guard !announced.isLost else { return [] }
            announced.isLost = true
            return ["\(failure.text) It is tried again by itself; type retry to try at once."]
        case .ended(let failure):
            announced.isLost = true
            return ["\(failure.text) Type retry to connect again."]
        }
    }

    /// Announces the server's answer to a change that the user requested.
    mutating func toggleAnnouncements(since before: BrowseModel) -> [String] {
        let message = model.message == before.message ? nil : model.message
        let answered = pendingChanges.keys.first { before.toggles.isPending($0) && !model.toggles.isPending($0) }
        guard let answered, let change = pendingChanges.removeValue(forKey: answered) else {
            return message.map { [$0.text] } ?? []
        }
        if let message, message.kind == .failure {
            refused = change
            return [message.text + (message.retry == nil ? "" : PlainWords.retryHint)]
        }
        let done = "\(change.isFavorite ? "Saved" : "Removed") \(change.character.shownName)."
        return [done] + (message.map { [$0.text] } ?? [])
    }

    /// Announces changes that other clients made to the list.
    mutating func listAnnouncements(since before: BrowseModel) -> [String] {
        guard let old = before.favorites.list, let new = model.favorites.list, old.revision != new.revision else {
            return []
        }
        let newIDs = model.favorites.ids
        let saved = new.favorites.map(\.character).filter { !before.favorites.ids.contains($0.id) }
        let removed = old.favorites.map(\.character).filter { !newIDs.contains($0.id) }
        let isEviction = !saved.isEmpty && old.favorites.count + saved.count > new.capacity
        let others = saved.filter { !isOwn($0, isFavorite: true, before) }
        // A favorite that was evicted by the user's own change is announced with the answer to that change.
        let gone = isEviction && others.isEmpty ? [] : removed.filter { !isOwn($0, isFavorite: false, before) }
        let late = announceLate(saved, isFavorite: true) + announceLate(removed, isFavorite: false)
        guard late.isEmpty else { return late }
        return PlainWords.othersSaved(others)
            + (isEviction ? PlainWords.madeRoom(gone) : PlainWords.othersRemoved(gone))
    }

    private func isOwn(_ character: MarvelCharacter, isFavorite: Bool, _ before: BrowseModel) -> Bool {
        before.toggles[character.id] == isFavorite
    }

    /// Announces that a change was made although its request seemed to have failed.
    private mutating func announceLate(_ characters: [MarvelCharacter], isFavorite: Bool) -> [String] {
        guard let refused, refused.isFavorite == isFavorite,
            characters.contains(where: { $0.id == refused.character.id })
        else { return [] }
        self.refused = nil
        return ["\(refused.character.shownName) was \(isFavorite ? "saved" : "removed") all the same."]
    }
}

extension FavoritesState.Connection {
    /// The reason why there is no connection; nil if there is one, or while connecting.
    var failure: FailureNotice? {
        switch self {
        case .connecting, .live: nil
        case .lost(let failure, _), .ended(let failure): failure
        }
    }
}
