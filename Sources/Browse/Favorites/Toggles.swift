internal import MarvelDomain

/// The changes that the user has requested and that the list does not show yet.
///
/// At most one request for a character is in flight. A change that is requested meanwhile is sent after the answer,
/// unless the answer already matches it. An answer is kept until the list has reached the revision of the answer.
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

    /// The changes by the character's id.
    private var entries: [Int64: Entry] = [:]

    package init() {}

    /// Whether a character shall be a favorite; nil if no change is open, so that the list is right.
    package subscript(id: Int64) -> Bool? { entries[id]?.isFavorite }

    /// Returns whether an answer for a character is awaited.
    package func isPending(_ id: Int64) -> Bool {
        if case .sent = entries[id]?.stage { true } else { false }
    }

    package var isAnyPending: Bool { entries.keys.contains(where: isPending) }

    /// The sorted names of the characters for which an answer is awaited.
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

    /// Handles the server's answer to a toggle request.
    ///
    /// - Parameters:
    ///   - id: The character's id.
    ///   - answer: The server's answer.
    ///   - revision: The current revision of the list here.
    /// - Returns: The next request for the character, and a message to show.
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

    /// Handles a failed toggle request: drops the change and returns a message to show.
    ///
    /// The list is unchanged, or it will show the change by itself. If the user has meanwhile requested the opposite, the
    /// failure has restored that state, and there is no message, unless the request may have been carried out.
    mutating func refused(_ id: Int64, _ failure: FailureNotice) -> Message? {
        guard let entry = entries[id], case .sent(let saves) = entry.stage else { return nil }
        entries[id] = nil
        guard entry.isFavorite == saves || failure.mayHaveHappened else { return nil }
        return Message(FavoriteChange(character: entry.character, isFavorite: entry.isFavorite), saves: saves, failure)
    }

    /// Removes the changes that the list contains at a revision.
    mutating func listCame(to revision: Int64) {
        entries = entries.filter { _, entry in
            if case .answered(let answered) = entry.stage { answered > revision } else { true }
        }
    }

    /// Removes all answered changes after the list was loaded again: the loaded list contains them, even if its revision
    /// is lower.
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

    /// Creates the message for a toggle request that failed.
    ///
    /// - Parameters:
    ///   - change: The change that the user wants now.
    ///   - saves: Whether the request was to save; else it was to remove.
    ///   - failure: The failure of the request.
    fileprivate init(_ change: FavoriteChange, saves: Bool, _ failure: FailureNotice) {
        let (name, done) = (change.character.shownName, saves ? "saved" : "removed")
        let what = failure.mayHaveHappened ? "It is not known whether \(name) was \(done)." : "\(name) was not \(done)."
        self.init("\(what) \(failure.text)", kind: .failure, retry: failure.canRetry ? change : nil)
    }
}
