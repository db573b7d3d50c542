package import MarvelDomain

/// Changes that a back end makes in one transaction, or not at all.
package struct ChangeGroup: Sendable {
    /// A list of the group.
    package struct List: Sendable {
        package let name: ListName
        /// The list on which the changes were decided. The back end makes them only if it is the same there.
        package let before: KnownList
        /// The list after the changes.
        package fileprivate(set) var after: KnownList
        /// The changes, each of which raises the revision by one; none for a list that only has to be as it was `before`.
        package fileprivate(set) var edits: [ListEdit] = []

        init(_ name: ListName, _ list: KnownList) {
            self.name = name
            (before, after) = (list, list)
        }

        fileprivate mutating func add(_ edit: consuming ListEdit, of owner: ListOwner) {
            edit.forEachLeavingID { after.remove($0) }
            if let saved = edit.saved { after.append(saved) }
            after.revision += 1
            after.isUnknown = false
            if edit.isDeletion {
                after.owner = nil
            } else if !after.exists {
                after.owner = owner.name
            }
            after.exists = !edit.isDeletion
            edits.append(consume edit)
        }
    }

    /// A request of the group.
    package struct Request: Sendable {
        /// The place of its list in `lists`; nil if the list need not be looked at.
        package let list: Int?
        let begun: FavoritesEngine.Begun
        let plan: Plan

        package var key: RequestKey? { begun.request.key }

        /// The answer to keep under its key; nil if none is kept.
        package var keptAnswer: AnswerColumns? {
            let list = begun.request.list.text
            switch plan {
            case .toggle(let isFavorite, let revision, _):
                guard case .toggle(let toggle, _) = begun.request.kind else { return nil }
                return AnswerColumns(
                    .toggle(toggle.desired),
                    list: list,
                    characterID: toggle.characterID,
                    flag: isFavorite,
                    revision: revision
                )
            case .deletion(let existed, let revision):
                return AnswerColumns(.deletion, list: list, flag: existed, revision: revision)
            case .replaced, .characterNeeded, .refused: return nil
            }
        }

        /// The place of its change among those of the list; nil if it makes none, or several.
        package var edit: Int? {
            guard case .toggle(_, _, let edit) = plan else { return nil }
            return edit
        }
    }

    /// The answer to a request, apart from the contents of favorites that left the list.
    enum Plan: Sendable {
        /// `edit` is the place of its change among those of the list; nil if it changes nothing.
        case toggle(isFavorite: Bool, revision: Int64, edit: Int?)
        case deletion(existed: Bool, revision: Int64)
        case replaced
        /// It needs a snapshot. The answer is not kept: a repeat is decided again.
        case characterNeeded
        /// It cannot be done now. The error is not kept either.
        case refused(StoreError)
    }

    /// The history in which all revisions count.
    package let history: HistoryID
    /// The time of what is saved.
    package let time: Timestamp
    package internal(set) var lists: [List] = []
    package internal(set) var requests: [Request] = []
    /// Whether all its lists are those of the last read, which was `WantedLists.isContended`.
    package internal(set) var isHeld = false

    /// Makes a change of a list.
    ///
    /// - Returns: Its place among the list's changes.
    mutating func add(_ edit: consuming ListEdit, to index: Int, of owner: ListOwner = .nobody) -> Int {
        lists[index].add(edit, of: owner)
        return lists[index].edits.count - 1
    }
}

extension ChangeGroup.Request {
    /// Makes the answer to keep under its key.
    ///
    /// - Parameters:
    ///   - history: The history of the group.
    ///   - changes: The changes of its list, as they were made.
    /// - Returns: The answer; nil if none is kept.
    package func answered(in history: HistoryID, by changes: [ListChange]) -> AnsweredRequest? {
        switch (begun.request.kind, answer(in: history, by: changes)) {
        case (.toggle(let toggle, _), .success(.toggle(.done(let result)))): .toggle(toggle, result)
        case (.deletion(let list), .success(.deletion(let deletion))): .deletion(list, deletion)
        default: nil
        }
    }

    func answer(in history: HistoryID, by changes: [ListChange]) -> Result<FavoritesRequest.Answer, StoreError> {
        let list = begun.request.list
        switch plan {
        case .toggle(let isFavorite, let revision, let edit):
            let evicted = if let edit { changes[edit].contents.evicted } else { [Favorite]() }
            let place = FavoritesPlace(list: list, history: history, revision: revision)
            let result = ToggleResult(isFavorite: isFavorite, revision: revision, evicted: evicted, place: place)
            return .success(.toggle(.done(result)))
        case .deletion(let existed, let revision):
            let place = FavoritesPlace(list: list, history: history, revision: revision)
            return .success(.deletion(ListDeletion(revision: revision, existed: existed, place: place)))
        case .replaced: return .success(.replaced)
        case .characterNeeded: return .success(.toggle(.characterNeeded))
        case .refused(let error): return .failure(error)
        }
    }
}

/// The outcome of a group, once it is durable.
package struct GroupOutcome: Sendable {
    package enum ListResult: Sendable {
        /// All changes were made, each with the contents of what left the list.
        case applied([ListChange])
        /// None was made, because one of its requests had been answered before.
        case skipped
        /// None was made: the list has changed since they were decided.
        case conflict
        /// None was made. The list was decided on rightly, and cannot be changed.
        case refused(StoreError)
    }

    /// One for each list of the group.
    package var lists: [ListResult]
    /// The stored answers to the requests that had been answered before, by their places in the group.
    package var repeated: [Int: Result<AnsweredRequest, StoreError>]
    /// The revision with which lists of unknown names begin now; nil if it was not read.
    package var base: Int64?
    /// The names of deleted lists that the back end has dropped.
    package var dropped: [ListName]

    package init(
        lists: [ListResult],
        repeated: [Int: Result<AnsweredRequest, StoreError>] = [:],
        base: Int64?,
        dropped: [ListName] = []
    ) {
        self.lists = lists
        self.repeated = repeated
        self.base = base
        self.dropped = dropped
    }
}

/// The lists and counts that the engine has to know before it can decide.
package struct WantedLists: Sendable {
    /// The lists, each with the revision after which its changes are wanted; nil if they are not.
    package var lists: [(name: ListName, after: Int64?)] = []
    /// The owners whose lists have to be counted.
    package var owners: Set<String> = []
    /// Whether changes of others were in the way again and again: then a shared back end, if it can, keeps others from changing
    /// the lists until the next group, which has changes of these lists alone.
    package var isContended = false

    package var isEmpty: Bool { lists.isEmpty && owners.isEmpty }
}

/// The answer of a back end to `WantedLists`.
package struct ListReading: Sendable {
    /// The history in which the revisions count.
    package let history: HistoryID
    /// Each list, or the error with which its changes are refused.
    package var lists: [(name: ListName, list: Result<KnownList, StoreError>)] = []
    /// The changes of lists after the revisions that were named, each list's in order, as far as they are kept.
    package var changes: [ListChange] = []
    /// The number of lists of each owner, or any number above the maximum.
    package var ownedCounts: [String: Int] = [:]
    /// The number of lists that exist, and the revision with which lists of unknown names begin; nil if the engine knows
    /// them, because nobody else changes the lists.
    package var facts: (listCount: Int, base: Int64)?

    package init(in history: HistoryID) { self.history = history }
}
