/// The rules of favorites lists, independent of storage.
///
/// A list has at most `capacity` favorites; the oldest ones are evicted. It exists from its first favorite until its
/// deletion, and belongs to the caller whose toggle created it. Its revision grows by one with each change. After the
/// capacity is lowered, longer lists keep their favorites until the next save.
package struct ListRules: Sendable, Hashable {
    package static let capacities = 1...100

    /// The maximum number of favorites after a save, 1 to 100.
    package var capacity: Int
    /// The maximum number of lists in a store, at least 1.
    package var maximumLists: Int
    /// The maximum number of lists of a named caller; 0 for no limit.
    package var maximumListsPerOwner: Int

    package init(capacity: Int = 5, maximumLists: Int = 100_000, maximumListsPerOwner: Int = 100) {
        self.capacity = capacity
        self.maximumLists = maximumLists
        self.maximumListsPerOwner = maximumListsPerOwner
    }

    package struct Subject {
        /// Oldest first; more than the capacity if that was lowered.
        package var ids: [Int64]
        package var exists: Bool
        package var listCount: Int

        package init(ids: [Int64], exists: Bool, listCount: Int) {
            self.ids = ids
            self.exists = exists
            self.listCount = listCount
        }
    }

    /// Decides on a toggle. Only `.edit` changes anything. A created list belongs to the toggle's caller.
    ///
    /// - Parameters:
    ///   - toggle: The request.
    ///   - list: The named list.
    ///   - character: The snapshot to save, if any. That of another character is ignored.
    ///   - now: The time of the save.
    ///   - owned: The number of the owner's lists, or any number above the maximum. Called only before creating a list.
    /// - Returns: The decision.
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
        return .edit(ListEdit(saved: saved, evicted: evictedCount == 0 ? [] : Array(list.ids[..<evictedCount])))
    }

    /// The reason why a caller may not create a list; nil if it may.
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

    /// `ids` is the list, oldest first.
    package static func deletion(of ids: [Int64]) -> ListEdit { ListEdit(cleared: ids, isDeletion: true) }
}

package enum ListDecision: Sendable, Hashable {
    /// The list already is as the toggle wants it.
    case nothing(isFavorite: Bool)
    case characterNeeded
    /// A new list would exceed the maximum number of lists, of all callers or of this one.
    case refused(StoreError)
    case edit(ListEdit)
}

/// An answered request, and the answer for its repeats.
package enum AnsweredRequest: Sendable, Hashable {
    case toggle(Toggle, ToggleResult)
    case deletion(ListName, ListDeletion)
    case edit(AnsweredEdit)

    /// Returns the stored answer for the same toggle, or else `.requestIDReused`.
    package func answer(to toggle: Toggle) -> Result<ToggleResult, StoreError> {
        guard case .toggle(let answered, let answer) = self, answered.hasSameContents(as: toggle) else {
            return .failure(.requestIDReused)
        }
        return .success(answer)
    }

    /// Returns the stored answer for a deletion of the same list, or else `.requestIDReused`.
    package func answer(toDeletionOf list: ListName) -> Result<ListDeletion, StoreError> {
        guard case .deletion(list, let answer) = self else { return .failure(.requestIDReused) }
        return .success(answer)
    }
}

/// An edit made under a request id. A repeat gets the character's current state.
package struct AnsweredEdit: Sendable, Hashable {
    /// The digest of the request.
    package var digest: Int64
    package var characterID: Int64

    package init(digest: Int64, characterID: Int64) {
        (self.digest, self.characterID) = (digest, characterID)
    }

    /// Nil if `list` is not a digest in hexadecimal digits.
    package init?(list: String, characterID: Int64) {
        guard let digest = UInt64(list, radix: 16) else { return nil }
        self.init(digest: Int64(bitPattern: digest), characterID: characterID)
    }
}

/// The columns of an answer in every store, apart from the favorites that a toggle evicted.
package struct AnswerColumns: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case toggle(DesiredFavorite)
        case deletion
        case edit
    }

    package var kind: Kind
    /// The name of the list; for an edit, its digest in hexadecimal digits.
    package var list: String
    /// 0 for a deletion.
    package var characterID: Int64
    /// Whether the character is a favorite, or whether the deleted list existed.
    package var flag: Bool
    /// 0 for an edit.
    package var revision: Int64

    package init(_ kind: Kind, list: String, characterID: Int64 = 0, flag: Bool = false, revision: Int64 = 0) {
        (self.kind, self.list, self.characterID) = (kind, list, characterID)
        (self.flag, self.revision) = (flag, revision)
    }

    package init(_ edit: AnsweredEdit) {
        self.init(.edit, list: Hexadecimal.text(UInt64(bitPattern: edit.digest)), characterID: edit.characterID)
    }
}
