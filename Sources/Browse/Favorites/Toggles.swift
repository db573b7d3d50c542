internal import MarvelDomain

/// The requested changes that the list does not show yet.
///
/// At most one request for a character is in flight. A change during that time is sent after the answer, unless the
/// answer already matches. An answer is kept until the list reaches its revision.
package struct Toggles: Sendable, Equatable {
    private enum Stage: Sendable, Equatable {
        case sent(saves: Bool)
        case answered(revision: Int64)
    }

    private struct Entry: Sendable, Equatable {
        var character: MarvelCharacter
        var isFavorite: Bool
        var stage: Stage
    }

    private var entries: [Int64: Entry] = [:]

    package init() {}

    package subscript(id: Int64) -> Bool? { entries[id]?.isFavorite }

    package func isPending(_ id: Int64) -> Bool {
        if case .sent = entries[id]?.stage { true } else { false }
    }

    package var isAnyPending: Bool { entries.keys.contains(where: isPending) }

    package var pendingNames: [String] {
        entries.filter { isPending($0.key) }.values.map(\.character.shownName).sorted()
    }

    mutating func request(_ character: MarvelCharacter, isFavorite: Bool) -> [BrowseEffect] {
        if isPending(character.id) {
            entries[character.id]?.isFavorite = isFavorite
            return []
        }
        let stage = Stage.sent(saves: isFavorite)
        entries[character.id] = Entry(character: character, isFavorite: isFavorite, stage: stage)
        return [send(character.id, isFavorite)]
    }

    mutating func answered(
        _ id: Int64,
        _ answer: ToggleResult,
        listRevision revision: Int64?
    ) -> (effects: [BrowseEffect], message: Message?) {
        guard let entry = entries[id], isPending(id) else { return ([], nil) }
        let message = Message(evicted: answer.evicted, madeRoomFor: entry.character)
        if entry.isFavorite != answer.isFavorite {
            entries[id]?.stage = .sent(saves: entry.isFavorite)
            return ([send(id, entry.isFavorite)], message)
        }
        entries[id]?.stage = .answered(revision: answer.revision)
        if let revision { listCame(to: revision) }
        return ([], message)
    }

    /// If the user has meanwhile requested the opposite, the failure restored that state. Then there is no message,
    /// unless the request may have been carried out.
    mutating func refused(_ id: Int64, _ failure: FailureNotice) -> Message? {
        guard let entry = entries[id], case .sent(let saves) = entry.stage else { return nil }
        entries[id] = nil
        guard entry.isFavorite == saves || failure.mayHaveHappened else { return nil }
        return Message(FavoriteChange(character: entry.character, isFavorite: entry.isFavorite), saves: saves, failure)
    }

    mutating func listCame(to revision: Int64) {
        entries = entries.filter { _, entry in
            if case .answered(let answered) = entry.stage { answered > revision } else { true }
        }
    }

    /// Removes all answered changes after a reload: the new list contains them, even if its revision is lower.
    mutating func listWasReadAnew() { listCame(to: .max) }

    private func send(_ id: Int64, _ isFavorite: Bool) -> BrowseEffect {
        .toggle(characterID: id, desired: isFavorite ? .saved : .removed)
    }
}

extension Message {
    fileprivate init?(evicted: [Favorite], madeRoomFor character: MarvelCharacter) {
        let names = evicted.map(\.character.shownName)
        guard let last = names.last else { return nil }
        let all = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
        self.init("\(all) left your favorites to make room for \(character.shownName).")
        isUndoable = true
    }

    fileprivate init(_ change: FavoriteChange, saves: Bool, _ failure: FailureNotice) {
        let (name, done) = (change.character.shownName, saves ? "saved" : "removed")
        let what = failure.mayHaveHappened ? "It is unknown whether \(name) was \(done)." : "\(name) was not \(done)."
        self.init("\(what) \(failure.text)", kind: .failure, retry: failure.canRetry ? change : nil)
    }
}

struct FavoriteChange: Sendable, Equatable {
    var character: MarvelCharacter
    var isFavorite: Bool
    var evicted: [MarvelCharacter] = []
}

extension BrowseModel {
    /// A list is in the order of saving, so a restored favorite becomes the newest.
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

    mutating func follow(_ answer: ToggleResult, of id: Int64) -> [BrowseEffect] {
        let evicted = answer.evicted.map(\.character)
        if lastChange?.character.id == id, answer.isFavorite { lastChange?.evicted += evicted }
        guard undo?.character.id == id else { return [] }
        undo?.evicted += evicted
        guard !answer.isFavorite, let change = undo else { return [] }
        undo = nil
        // A list at its maximum has room for one.
        guard let restored = change.evicted.last else { return [] }
        let (removed, saved) = (change.character.shownName, restored.shownName)
        let text = "Undone: \(removed) was removed, and \(saved) was saved again, as your newest favorite."
        return request(FavoriteChange(character: restored, isFavorite: true)) + show(Message(text))
    }

    mutating func forgetChange(of id: Int64) {
        if lastChange?.character.id == id { lastChange = nil }
        if undo?.character.id == id { undo = nil }
    }
}
