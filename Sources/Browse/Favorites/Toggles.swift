internal import MarvelDomain

/// What the person wants of characters and the list does not show yet.
///
/// One request for a character is under way at a time; what is wished meanwhile is sent once it is answered, if it is
/// not so by then. What was answered holds until the list has come as far as the answer.
package struct Toggles: Sendable, Equatable {
    private enum Stage: Sendable, Equatable {
        case sent(saves: Bool)
        case answered(revision: Int64)
    }

    private struct Wish: Sendable, Equatable {
        var character: MarvelCharacter
        var isFavorite: Bool
        var stage: Stage
    }

    /// By the character's id.
    private var wishes: [Int64: Wish] = [:]

    package init() {}

    /// What shall be true of a character, if that is more than the list knows.
    package subscript(id: Int64) -> Bool? { wishes[id]?.isFavorite }

    /// Whether an answer is awaited.
    package func isPending(_ id: Int64) -> Bool {
        if case .sent = wishes[id]?.stage { true } else { false }
    }

    package var isAnyPending: Bool { wishes.keys.contains(where: isPending) }

    /// Of the characters about which an answer is awaited.
    package var pendingNames: [String] {
        wishes.filter { isPending($0.key) }.values.map(\.character.shownName).sorted()
    }

    mutating func wish(_ character: MarvelCharacter, isFavorite: Bool) -> [BrowseEffect] {
        if isPending(character.id) {
            wishes[character.id]?.isFavorite = isFavorite
            return []
        }
        let stage = Stage.sent(saves: isFavorite)
        wishes[character.id] = Wish(character: character, isFavorite: isFavorite, stage: stage)
        return [send(character.id, isFavorite)]
    }

    /// - Parameters:
    ///   - id: The character's.
    ///   - answer: The server's.
    ///   - revision: The one that the list has here.
    /// - Returns: The next request for the character, and what to tell.
    mutating func answered(
        _ id: Int64,
        _ answer: ToggleResult,
        listRevision revision: Int64?
    ) -> (effects: [BrowseEffect], message: Message?) {
        guard let wish = wishes[id], isPending(id) else { return ([], nil) }
        let message = Message(evicted: answer.evicted, madeRoomFor: wish.character)
        if wish.isFavorite != answer.isFavorite {
            wishes[id]?.stage = .sent(saves: wish.isFavorite)
            return ([send(id, wish.isFavorite)], message)
        }
        wishes[id]?.stage = .answered(revision: answer.revision)
        if let revision { listCame(to: revision) }
        return ([], message)
    }

    /// It is as it was, or as the list will tell. What was wished meanwhile is that too, or was refused with it.
    mutating func refused(_ id: Int64, _ trouble: Trouble) -> Message? {
        guard let wish = wishes[id], case .sent(let saves) = wish.stage else { return nil }
        wishes[id] = nil
        guard wish.isFavorite == saves || trouble.mayHaveHappened else { return nil }
        return Message(FavoriteWish(character: wish.character, isFavorite: wish.isFavorite), saves: saves, trouble)
    }

    /// What the list shows needs no wish any more.
    mutating func listCame(to revision: Int64) {
        wishes = wishes.filter { _, wish in
            if case .answered(let answered) = wish.stage { answered > revision } else { true }
        }
    }

    /// The list was read anew, behind all that was answered, whatever its revision is.
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

    /// - Parameters:
    ///   - wish: What the person wants by now.
    ///   - saves: What the request was for.
    ///   - trouble: What became of it.
    fileprivate init(_ wish: FavoriteWish, saves: Bool, _ trouble: Trouble) {
        let (name, done) = (wish.character.shownName, saves ? "saved" : "removed")
        let what = trouble.mayHaveHappened ? "It is not known whether \(name) was \(done)." : "\(name) was not \(done)."
        self.init("\(what) \(trouble.text)", kind: .failure, retry: trouble.canRetry ? wish : nil)
    }
}
