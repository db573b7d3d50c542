internal import MarvelDomain

/// The known lists of a store: the ids on all lists, and the encoded contents of some.
///
/// Ids take some hundred bytes a list. So the mirror keeps those of every nonempty list, and searches never wait for
/// the store. It keeps contents up to a number of bytes, and evicts those that were not used lately.
///
/// The mirror is incomplete until all lists were read, and again after lost events. Meanwhile a list is known once it
/// was read itself.
struct ListMirror: Sendable {
    typealias Reading = Int

    /// An encoded list, and the changes that are not yet in it.
    struct Answer: Sendable {
        var encoded: EncodedFavorites
        /// The changes after the encoded revision, without gaps. The next read applies them.
        var later: [FavoritesChange] = []

        fileprivate var byteCount: Int {
            later.reduce(encoded.byteCount) { $0 + $1.estimatedByteCount }
        }
    }

    private struct Entry {
        /// The highest revision that the list is known to have reached.
        var revision: Int64
        /// The ids at that revision, if they are known.
        var ids: [Int64]
        var areIDsKnown: Bool
        var answer: Answer?
        var isInRing = false

        /// The bytes that count towards the maximum. The store itself limits nonempty lists.
        var cost: Int {
            guard answer != nil || ids.isEmpty && areIDsKnown else { return 0 }
            return ListMirror.overhead + (answer?.byteCount ?? 0)
        }
    }

    private static let overhead = 256
    /// The changes that wait to be applied to an answer.
    private static let maximumLater = 8

    private(set) var history: HistoryID
    private let maximumBytes: Int
    private var entries: [ListName: Entry] = [:]
    /// The names of evictable entries, for a clock hand (`hand`).
    private var ring: [ListName] = []
    private var hand = 0
    private(set) var byteCount = 0
    /// The highest revision of an evicted empty list. A change up to this revision, of a list that is not here, may be
    /// an old one again.
    private var evictedRevision: Int64 = 0
    private(set) var reading: Reading = 0
    /// Whether a list without an entry is empty.
    private(set) var isComplete = false

    init(in history: HistoryID, maximumBytes: Int) {
        self.history = history
        self.maximumBytes = maximumBytes
    }

    // MARK: Queries

    func ids(of list: ListName) -> [Int64]? {
        guard let entry = entries[list] else { return isComplete ? [] : nil }
        return entry.areIDsKnown ? entry.ids : nil
    }

    func lastKnownIDs(of list: ListName) -> [Int64] { entries[list]?.ids ?? [] }

    /// The highest revision that a list is known to have reached; 0 if it is unknown.
    func revision(of list: ListName) -> Int64 { entries[list]?.revision ?? 0 }

    func answer(of list: ListName) -> Answer? {
        guard let answer = entries[list]?.answer else { return nil }
        answer.encoded.use()
        return answer
    }

    var answerCount: Int { entries.values.count { $0.answer != nil } }

    // MARK: Events

    /// Applies an event of the feed. A known change has no effect.
    mutating func changed(_ news: ListChange) {
        guard entries[news.list] != nil else { return added(news) }
        change(news.list) { entry in
            guard news.revision > entry.revision else { return }
            let isNext = news.revision == entry.revision + 1
            entry.revision = news.revision
            guard isNext, entry.areIDsKnown, let change = news.change else {
                entry.areIDsKnown = false
                entry.answer = nil
                return
            }
            change.apply(to: &entry.ids)
            entry.answer?.later.append(change)
            if let count = entry.answer?.later.count, count > Self.maximumLater { entry.answer = nil }
        }
    }

    /// Adds a list that was empty if all lists are known, and unknown otherwise.
    private mutating func added(_ news: ListChange) {
        let known = isComplete && news.revision > evictedRevision ? news.change : nil
        var ids: [Int64] = []
        known?.apply(to: &ids)
        entries[news.list] = Entry(revision: news.revision, ids: ids, areIDsKnown: known != nil)
        change(news.list) { _ in }
    }

    /// Everything must be read again.
    mutating func lost() {
        reading += 1
        isComplete = false
        for (name, entry) in entries {
            byteCount -= entry.cost
            entries[name]?.answer = nil
            entries[name]?.areIDsKnown = false
            entries[name]?.isInRing = false
        }
        (ring, hand) = ([], 0)
    }

    /// Everything must be read again, and earlier revisions do not count. The last known ids stay, for searches while
    /// the store cannot be read.
    mutating func renewed(_ history: HistoryID) {
        lost()
        self.history = history
        evictedRevision = 0
        for name in entries.keys { entries[name]?.revision = 0 }
    }

    // MARK: Answers of the store

    /// False if events were lost since the reading began.
    mutating func read(_ lists: [ListSummary], in reading: Reading) -> Bool {
        guard reading == self.reading else { return false }
        for list in lists {
            guard entries[list.name] != nil || !list.ids.isEmpty else { continue }
            update(list.name, to: list.revision, list.ids, answer: nil)
        }
        return true
    }

    /// False if events were lost since the reading began.
    mutating func finish(_ reading: Reading) -> Bool {
        guard reading == self.reading else { return false }
        isComplete = true
        return true
    }

    /// An answer has no effect if it is older than the known state, or of another history.
    mutating func loaded(_ answer: EncodedFavorites, of list: ListName) {
        guard answer.history == history else { return }
        update(list, to: answer.revision, answer.ids, answer: Answer(encoded: answer))
    }

    private mutating func update(_ list: ListName, to revision: Int64, _ ids: [Int64], answer: Answer?) {
        if entries[list] == nil { entries[list] = Entry(revision: revision, ids: ids, areIDsKnown: true) }
        change(list) { entry in
            guard revision >= entry.revision else { return }
            if revision > entry.revision { entry.answer = nil }
            entry.revision = revision
            entry.ids = ids
            entry.areIDsKnown = true
            if let answer { entry.answer = answer }
        }
    }

    // MARK: Eviction

    /// Changes an entry in place, and evicts others if it became too large.
    private mutating func change(_ list: ListName, _ body: (inout Entry) -> Void) {
        guard let index = entries.index(forKey: list) else { return }
        let before = entries.values[index].isInRing ? entries.values[index].cost : 0
        body(&entries.values[index])
        let cost = entries.values[index].cost
        if cost > 0, !entries.values[index].isInRing {
            entries.values[index].isInRing = true
            // Behind the hand, so that it is examined last.
            ring.append(list)
            hand = min(hand, ring.count - 1)
            ring.swapAt(hand, ring.count - 1)
            hand += 1
        }
        byteCount += cost - before
        while byteCount > maximumBytes, !ring.isEmpty { evictNext() }
    }

    /// Evicts the next entry of the ring, unless it was used since the last round.
    private mutating func evictNext() {
        hand %= ring.count
        let name = ring[hand]
        if let answer = entries[name]?.answer, answer.encoded.takeUse() {
            hand += 1
            return
        }
        ring.swapAt(hand, ring.count - 1)
        ring.removeLast()
        byteCount -= entries[name]?.cost ?? 0
        entries[name]?.answer = nil
        entries[name]?.isInRing = false
        // An empty list equals a missing one, unless its ids are unknown.
        if let entry = entries[name], entry.ids.isEmpty, entry.areIDsKnown {
            entries[name] = nil
            evictedRevision = max(evictedRevision, entry.revision)
        }
    }
}

extension FavoritesChange {
    fileprivate var estimatedByteCount: Int {
        let all = evicted + cleared + [saved, removed].compactMap(\.self)
        return all.reduce(256) { $0 + $1.character.estimatedByteCount }
    }
}
