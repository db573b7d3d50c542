package import MarvelDomain

/// A list as the engine decides on it.
package struct KnownList: Sendable, Hashable {
    /// The revision; the base if the name is unknown.
    package var revision: Int64
    /// The digest of the last change and all before it; 0 if there is no change, or the back end does not tell it.
    package var digest: Int64
    /// The ids of its characters, oldest first.
    package var ids: [Int64]
    /// The same favorites with their contents; nil if those are with the back end alone.
    package private(set) var favorites: [Favorite]?
    /// The bytes of `favorites`.
    fileprivate private(set) var favoriteBytes: Int
    /// Whether it exists; false for the name of a deleted list too.
    package var exists: Bool
    /// The name of its owner; nil if it has none.
    package var owner: String?
    /// Whether the back end has never heard of the name, or has dropped it.
    package var isUnknown: Bool

    package init(
        revision: Int64,
        digest: Int64 = 0,
        ids: [Int64] = [],
        favorites: [Favorite]? = nil,
        exists: Bool,
        owner: String? = nil,
        isUnknown: Bool = false
    ) {
        self.revision = revision
        self.digest = digest
        self.ids = ids
        self.favorites = favorites
        favoriteBytes = favorites?.reduce(0) { $0 + $1.character.estimatedByteCount } ?? 0
        self.exists = exists
        self.owner = owner
        self.isUnknown = isUnknown
    }

    /// The list of a name that the back end does not know.
    package static func unknown(base: Int64) -> KnownList { KnownList(revision: base, exists: false, isUnknown: true) }

    mutating func remove(_ id: Int64) {
        guard let place = ids.firstIndex(of: id) else { return }
        ids.remove(at: place)
        guard let left = favorites?.remove(at: place) else { return }
        favoriteBytes -= left.character.estimatedByteCount
    }

    mutating func append(_ favorite: Favorite) {
        ids.append(favorite.character.id)
        guard favorites != nil else { return }
        favorites?.append(favorite)
        favoriteBytes += favorite.character.estimatedByteCount
    }

    fileprivate mutating func take(_ change: FavoritesChange, digest: Int64) {
        change.forEachLeavingID { remove($0) }
        if let saved = change.saved { append(saved) }
        revision = change.revision
        self.digest = digest
        guard change.isDeletion else { return }
        (exists, owner) = (false, nil)
    }
}

/// A list in the engine's cache.
struct CachedList: SizedValue {
    var list: KnownList
    /// The revision up to which its changes were published; nil if that is not known.
    var published: Int64?
    /// Whether the list may have changed since it was read.
    var isStale = false
    /// The last group that it was in, and its place there.
    var place: (group: Int, list: Int)?

    /// The bytes of this value, of a name that is not short, of the array of ids, and of the favorites.
    var byteCount: Int { 216 + 8 * list.ids.count + list.favoriteBytes }

    /// Takes a change that the feed brings.
    ///
    /// - Returns: Whether it is to be published.
    mutating func receive(_ news: ListChange) -> Bool {
        if let published, news.revision <= published { return false }
        published = news.revision
        if list.exists, let change = news.change(after: list.revision) {
            list.take(change, digest: news.digest)
        } else if news.revision > list.revision {
            // Also if somebody made the list again: whose it is is not in the change.
            isStale = true
        }
        return true
    }

    /// Takes the changes of a group, which are durable.
    ///
    /// - Returns: Those that are to be published: others may have brought some before.
    mutating func committed(
        _ changes: [ListChange],
        of list: ChangeGroup.List,
        isShared: Bool
    ) -> (gap: ListChange?, news: ArraySlice<ListChange>) {
        if !isShared { published = list.before.revision }
        let former = published ?? 0
        published = former
        let gap = reach(list.before, of: list.name)
        published = max(former, list.after.revision)
        if self.list.revision <= list.after.revision {
            self.list = list.after
            self.list.digest = changes.last?.digest ?? list.before.digest
        }
        return (gap, changes.drop { $0.revision <= former })
    }

    /// Notes that all changes up to those of a list that was read are published.
    ///
    /// - Returns: What to publish, if some of them are no longer kept.
    mutating func reach(_ list: KnownList, of name: ListName) -> ListChange? {
        guard let published, published < list.revision, !list.isUnknown else { return nil }
        self.published = list.revision
        return ListChange(name, revision: list.revision, digest: list.digest, exists: list.exists)
    }
}
