/// The rules of favorites lists, apart from where the lists are kept.
///
/// A list holds `capacity` favorites; the oldest ones leave to make room. It exists from its first favorite until it is
/// deleted, and belongs to the caller whose toggle made it. Its revision rises by one with each change. A list that holds
/// more than the capacity, because that was lowered, keeps its favorites until the next save.
package struct ListRules: Sendable, Hashable {
    /// Favorites that a list may hold after a save, 1 to 100.
    package var capacity: Int
    /// Lists that a store may hold, at least 1.
    package var maximumLists: Int
    /// Lists that a caller with a name may own; 0 sets no limit.
    package var maximumListsPerOwner: Int

    package init(capacity: Int = 5, maximumLists: Int = 100_000, maximumListsPerOwner: Int = 100) {
        self.capacity = capacity
        self.maximumLists = maximumLists
        self.maximumListsPerOwner = maximumListsPerOwner
    }

    /// A list as a rule needs to see it.
    package struct Subject {
        /// Oldest first; more than the capacity if that was lowered.
        package var ids: [Int64]
        /// Whether the list exists.
        package var exists: Bool
        /// The number of lists that the store holds.
        package var listCount: Int

        package init(ids: [Int64], exists: Bool, listCount: Int) {
            self.ids = ids
            self.exists = exists
            self.listCount = listCount
        }
    }

    /// Decides what a toggle changes.
    ///
    /// - Parameters:
    ///   - toggle: The request.
    ///   - list: The list that it names.
    ///   - character: The snapshot to save; nil if the caller has none. One of another character counts as none.
    ///   - now: The time of the save.
    ///   - owned: Returns the number of lists that the owner with that name has, or any number above the maximum. It is
    ///     called only for a toggle that would make a list.
    /// - Returns: The decision. Only `.edit` changes anything. If it makes a list, the list belongs to the toggle's caller.
    package func decide(
        _ toggle: Toggle,
        on list: Subject,
        saving character: MarvelCharacter?,
        at now: Timestamp,
        owned: (String) -> Int
    ) -> ListDecision {
        let isFavorite = list.ids.contains(toggle.characterID)
        let isWanted =
            switch toggle.desired {
            case .toggle: !isFavorite
            case .saved: true
            case .removed: false
            }
        guard isWanted != isFavorite else { return .nothing(isFavorite: isFavorite) }
        guard isWanted else { return .edit(ListEdit(removed: toggle.characterID)) }
        guard let character, character.id == toggle.characterID else { return .characterNeeded }
        if !list.exists, let error = refusal(toToggleOf: toggle.owner, listCount: list.listCount, owned: owned) {
            return .refused(error)
        }
        let evictedCount = max(0, list.ids.count + 1 - capacity)
        let saved = Favorite(character: character, savedAt: now)
        return .edit(ListEdit(saved: saved, evicted: Array(list.ids.prefix(evictedCount))))
    }

    /// Returns the reason for which a caller may not make a list; nil if it may.
    private func refusal(
        toToggleOf owner: ListOwner,
        listCount: Int,
        owned: (String) -> Int
    ) -> StoreError? {
        guard listCount < maximumLists else { return .listLimitReached(maximum: maximumLists) }
        switch owner {
        case .nobody: return nil
        case .stranger: return .ownedListLimitReached(maximum: 0)
        case .named(let name):
            guard maximumListsPerOwner > 0, owned(name) >= maximumListsPerOwner else { return nil }
            return .ownedListLimitReached(maximum: maximumListsPerOwner)
        }
    }

    /// Makes the edit that deletes a list.
    ///
    /// - Parameter ids: The list, oldest first.
    /// - Returns: The edit.
    package static func deletion(of ids: [Int64]) -> ListEdit { ListEdit(cleared: ids, isDeletion: true) }
}

/// The effect of a toggle on a list, as the rules decide it.
package enum ListDecision: Sendable, Hashable {
    /// The list is already as the toggle wants it.
    case nothing(isFavorite: Bool)
    /// The toggle would save, and the snapshot is missing.
    case characterNeeded
    /// The list would be a new one, and there are as many as the operator allows, of all callers or of this one.
    case refused(StoreError)
    case edit(ListEdit)
}

/// A request that was answered, and the answer that each repeat of it gets.
package enum AnsweredRequest: Sendable, Hashable {
    case toggle(Toggle, ToggleResult)
    case deletion(ListName, ListDeletion)
    case edit(AnsweredEdit)

    /// Returns the answer to a toggle that carries the id of this request.
    ///
    /// - Returns: The same answer if it is the same toggle, or else `.requestIDReused`.
    package func answer(to toggle: Toggle) -> Result<ToggleResult, StoreError> {
        guard case .toggle(let answered, let answer) = self, answered.hasSameContents(as: toggle) else {
            return .failure(.requestIDReused)
        }
        return .success(answer)
    }

    /// Returns the answer to a deletion that carries the id of this request.
    ///
    /// - Returns: The same answer if it deletes the same list, or else `.requestIDReused`.
    package func answer(toDeletionOf list: ListName) -> Result<ListDeletion, StoreError> {
        guard case .deletion(list, let answer) = self else { return .failure(.requestIDReused) }
        return .success(answer)
    }
}

/// The edit of a character that was asked for with a request id. It is answered with the character as it is then.
package struct AnsweredEdit: Sendable, Hashable {
    /// The digest of the request.
    package var digest: Int64
    package var characterID: Int64

    package init(digest: Int64, characterID: Int64) {
        (self.digest, self.characterID) = (digest, characterID)
    }

    /// Reads the columns of an answer. Nil if the text is not a digest.
    ///
    /// - Parameters:
    ///   - list: The column for the list, which holds the digest of an edit in hexadecimal digits.
    ///   - characterID: The column for the character.
    package init?(list: String, characterID: Int64) {
        guard let digest = UInt64(list, radix: 16) else { return nil }
        self.init(digest: Int64(bitPattern: digest), characterID: characterID)
    }
}

/// The columns of an answer that every store has.
extension AnsweredRequest {
    /// The name of the list; the digest of an edit in hexadecimal digits.
    package var listColumn: String {
        switch self {
        case .toggle(let toggle, _): toggle.list.text
        case .deletion(let list, _): list.text
        case .edit(let edit): Hexadecimal.text(UInt64(bitPattern: edit.digest))
        }
    }

    package var characterID: Int64 {
        switch self {
        case .toggle(let toggle, _): toggle.characterID
        case .deletion: 0
        case .edit(let edit): edit.characterID
        }
    }

    /// Whether the character is a favorite, or whether there was a list to delete.
    package var flag: Bool {
        switch self {
        case .toggle(_, let answer): answer.isFavorite
        case .deletion(_, let answer): answer.existed
        case .edit: false
        }
    }

    /// The revision of the list; 0 for an edit.
    package var revision: Int64 {
        switch self {
        case .toggle(_, let answer): answer.revision
        case .deletion(_, let answer): answer.revision
        case .edit: 0
        }
    }
}
