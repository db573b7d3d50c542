package import MarvelDomain

/// A list as the engine decides on it.
package struct KnownList: Sendable, Hashable {
    /// The revision; the base if the name is unknown.
    package var revision: Int64
    /// The digest of the last change and all before it; 0 if there is no change, or the back end does not tell it.
    package var digest: Int64
    /// The ids of its characters, oldest first.
    package var ids: [Int64]
    /// Its favorites, oldest first; nil if their contents are with the back end alone.
    package var favorites: [Favorite]?
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
        self.exists = exists
        self.owner = owner
        self.isUnknown = isUnknown
    }

    /// The list of a name that the back end does not know.
    package static func unknown(base: Int64) -> KnownList { KnownList(revision: base, exists: false, isUnknown: true) }

    /// Takes the favorites that a change saves, in place of those that leave the list.
    mutating func replace(_ saved: Favorite?, leaving: ((Int64) -> Void) -> Void) {
        leaving { id in
            ids.removeAll { $0 == id }
            favorites?.removeAll { $0.character.id == id }
        }
        guard let saved else { return }
        ids.append(saved.character.id)
        favorites?.append(saved)
    }
}

/// The lists that were used lately, of two generations. A list of the older one that is used joins the younger one. When the
/// younger one has half of all bytes, `trim` makes it the older one, and forgets the lists that were left in that.
struct ListCache: Sendable {
    struct Entry: Sendable {
        var list: KnownList
        /// The revision up to which its changes were published; nil if that is not known.
        var published: Int64?
        /// Whether the list may have changed since it was read.
        var isStale = false
    }

    private let maximumBytes: Int
    private var young: [ListName: Entry] = [:]
    private var youngBytes = 0
    private var old: [ListName: Entry] = [:]

    /// - Parameter maximumBytes: The maximum of the bytes that all lists are estimated to take.
    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Keeps a list longer, if it is here.
    mutating func use(_ name: ListName) {
        if !old.isEmpty, let entry = old.removeValue(forKey: name) { put(entry, for: name) }
    }

    subscript(name: ListName) -> Entry? { young[name] ?? old[name] }

    mutating func put(_ entry: Entry, for name: ListName) {
        if !old.isEmpty { old[name] = nil }
        youngBytes += Self.cost(of: entry)
        if let former = young.updateValue(entry, forKey: name) { youngBytes -= Self.cost(of: former) }
    }

    /// Whether `trim` would forget lists.
    var isFull: Bool { youngBytes > maximumBytes / 2 }

    /// Forgets lists, if there are too many. Those that were not used since the last time that it did are forgotten.
    mutating func trim() {
        guard isFull else { return }
        old = young
        (young, youngBytes) = ([:], 0)
    }

    mutating func markStale(_ name: ListName) {
        guard var entry = self[name] else { return }
        entry.isStale = true
        put(entry, for: name)
    }

    mutating func remove(_ name: ListName) {
        if let entry = young.removeValue(forKey: name) { youngBytes -= Self.cost(of: entry) }
        old[name] = nil
    }

    mutating func removeAll() { self = ListCache(maximumBytes: maximumBytes) }

    /// The bytes of the entry, of a name that is not short, of the array of ids, and of the favorites.
    private static func cost(of entry: Entry) -> Int {
        let favorites = entry.list.favorites ?? []
        return 192 + 8 * entry.list.ids.count + favorites.reduce(0) { $0 + $1.character.estimatedByteCount }
    }
}
