internal import MarvelDomain

/// The ids on all nonempty lists, the encoded contents of some, and the watched lists. Searches never wait for the
/// store. Contents that were not used lately are evicted.
///
/// The table is incomplete until all lists were read, and again after lost events.
struct ListTable: Sendable {
    typealias Reading = Int

    private struct Entry {
        var revision: Int64
        /// The ids at that revision, or the last known ones.
        var ids: [Int64]
        var areIDsKnown: Bool

        /// A missing entry says the same, once all lists were read.
        var isEmpty: Bool { ids.isEmpty && areIDsKnown }
    }

    /// Encoded contents; for an empty list, only its turn in eviction.
    private struct Contents: SizedValue {
        var encoded: EncodedFavorites?
        /// The news after the encoded revision, without gaps and each with its change. The next read applies them.
        var later: [ListChange] = []

        var byteCount: Int {
            later.reduce(256 + (encoded?.byteCount ?? 0)) { $0 + $1.contents.estimatedByteCount }
        }

        mutating func append(_ news: ListChange) {
            guard encoded != nil else { return }
            if later.count < ListTable.maximumLater { later.append(news) } else { self = Contents() }
        }
    }

    private struct WeakList {
        weak var list: WatchedList?
    }

    private static let maximumLater = 8

    private(set) var history: HistoryID
    private var entries: [ListName: Entry] = [:]
    private var contents: GenerationalCache<ListName, Contents>
    /// A change up to this revision, of a list that is not here, may be an old one again.
    private var evictedRevision: Int64 = 0
    private(set) var reading: Reading = 0
    /// Whether a list without an entry is empty.
    private(set) var isComplete = false
    private var watched: [ListName: WeakList] = [:]
    private var forgotten: [any Sendable] = []

    init(in history: HistoryID, maximumBytes: Int) {
        self.history = history
        contents = GenerationalCache(maximumBytes: maximumBytes)
    }

    /// May be half of all contents, so the caller releases them after the table's lock.
    mutating func takeForgotten() -> [any Sendable] {
        defer { forgotten = [] }
        return forgotten
    }

    // MARK: Queries

    func ids(of list: ListName) -> [Int64]? {
        guard let entry = entries[list] else { return isComplete ? [] : nil }
        return entry.areIDsKnown ? entry.ids : nil
    }

    func lastKnownIDs(of list: ListName) -> [Int64] { entries[list]?.ids ?? [] }

    /// 0 if it is unknown.
    func revision(of list: ListName) -> Int64 { entries[list]?.revision ?? 0 }

    mutating func contents(of list: ListName) -> (encoded: EncodedFavorites, later: [FavoritesChange])? {
        guard let held = contents.use(list), let encoded = held.encoded else { return nil }
        return (encoded, held.later.compactMap(\.change))
    }

    // MARK: Events

    /// A known change has no effect.
    mutating func changed(_ news: ListChange) {
        guard let index = entries.index(forKey: news.list) else { return added(news) }
        guard news.revision > entries.values[index].revision else { return }
        let isNext = news.revision == entries.values[index].revision + 1 && news.hasChange
        if isNext, entries.values[index].areIDsKnown {
            news.apply(to: &entries.values[index].ids)
            contents.update(news.list) { $0.append(news) }
        } else if !news.exists {
            (entries.values[index].ids, entries.values[index].areIDsKnown) = ([], true)
            contents[news.list] = nil
        } else {
            entries.values[index].areIDsKnown = false
            contents[news.list] = nil
        }
        entries.values[index].revision = news.revision
        evict(considering: news.list, isEmpty: entries.values[index].isEmpty)
    }

    /// The list was empty if all lists are known, unless it was deleted.
    private mutating func added(_ news: ListChange) {
        var ids: [Int64] = []
        var areIDsKnown = !news.exists
        if !areIDsKnown, isComplete, news.revision > evictedRevision, news.hasChange {
            news.apply(to: &ids)
            areIDsKnown = true
        }
        let entry = Entry(revision: news.revision, ids: ids, areIDsKnown: areIDsKnown)
        entries[news.list] = entry
        evict(considering: news.list, isEmpty: entry.isEmpty)
    }

    mutating func lost() {
        reading += 1
        isComplete = false
        forgotten.append(contents)
        contents.removeAll()
        entries = entries.mapValues { Entry(revision: $0.revision, ids: $0.ids, areIDsKnown: false) }
    }

    /// Earlier revisions do not count. The last known ids stay, for searches while the store cannot be read. Returns
    /// the watched lists of the history before.
    mutating func renewed(_ history: HistoryID) -> [WatchedList] {
        lost()
        self.history = history
        evictedRevision = 0
        entries = entries.mapValues { Entry(revision: 0, ids: $0.ids, areIDsKnown: false) }
        defer { watched = [:] }
        return watched.values.compactMap(\.list)
    }

    // MARK: Answers of the store

    /// False if events were lost since the reading began.
    mutating func read(_ lists: [ListSummary], in reading: Reading) -> Bool {
        guard reading == self.reading else { return false }
        for list in lists {
            guard entries[list.name] != nil || !list.ids.isEmpty else { continue }
            update(list.name, to: list.revision, list.ids)
        }
        return true
    }

    mutating func finish(_ reading: Reading) {
        if reading == self.reading { isComplete = true }
    }

    /// No effect if the contents are older than the known state, or of another history.
    mutating func loaded(_ contents: EncodedFavorites, of list: ListName) {
        guard contents.history == history else { return }
        update(list, to: contents.revision, contents.ids, contents)
    }

    private mutating func update(
        _ list: ListName,
        to revision: Int64,
        _ ids: [Int64],
        _ encoded: EncodedFavorites? = nil
    ) {
        let known = entries[list]?.revision
        if let known, revision < known { return }
        let entry = Entry(revision: revision, ids: ids, areIDsKnown: true)
        entries[list] = entry
        if encoded != nil || revision != known { contents[list] = encoded.map { Contents(encoded: $0) } }
        evict(considering: list, isEmpty: entry.isEmpty)
    }

    /// An empty list is evicted like contents, because anybody can ask for unused names. The store limits the others.
    private mutating func evict(considering list: ListName, isEmpty: Bool) {
        if isEmpty, contents[list] == nil { contents[list] = Contents() }
        guard contents.isFull else { return }
        let evicted = contents.trim()
        forgotten.append(evicted)
        for list in evicted.keys {
            guard let entry = entries[list], entry.isEmpty else { continue }
            entries[list] = nil
            evictedRevision = max(evictedRevision, entry.revision)
        }
    }

    // MARK: Watched lists

    var watchedCount: Int { watched.count }

    var watchedNames: Set<ListName> { Set(watched.keys) }

    func watched(_ name: ListName) -> WatchedList? { watched[name]?.list }

    mutating func watch(_ name: ListName, _ make: (HistoryID) -> WatchedList) -> WatchedList {
        if let list = watched(name) { return list }
        let list = make(history)
        watched[name] = WeakList(list: list)
        return list
    }

    /// Returns the list that another watcher has made instead.
    mutating func unwatched(_ name: ListName) -> WatchedList? {
        let list = watched(name)
        if list == nil { watched[name] = nil }
        return list
    }
}

extension FavoritesChange {
    fileprivate var estimatedByteCount: Int {
        var count = 256
        for favorites in [evicted, cleared] {
            for favorite in favorites { count += favorite.character.estimatedByteCount }
        }
        for favorite in [saved, removed] { count += favorite?.character.estimatedByteCount ?? 0 }
        return count
    }
}
