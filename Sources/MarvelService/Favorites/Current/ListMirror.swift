internal import MarvelDomain

/// The lists of a store as they are known from its feed and its answers: the ids on all lists, and the encoded contents
/// of some.
///
/// Ids take some hundred bytes a list, so they are kept of every list that holds favorites, and searches never wait for
/// the store. Contents are kept up to a number of bytes; those that nobody asked for lately are evicted first.
///
/// The mirror is incomplete until all lists were read, and again after events were lost. Meanwhile a list is known from
/// the moment at which it was read itself.
struct ListMirror: Sendable {
    /// The number of a reading of all lists. Events that are lost begin another one.
    typealias Reading = Int

    /// The answer of a list, and the changes that are not in it yet.
    struct Answer: Sendable {
        var encoded: EncodedFavorites
        /// The changes after the answer's revision, without gaps. They are applied when somebody asks.
        var later: [FavoritesChange] = []

        /// The bytes that the answer is estimated to take.
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
        /// Whether the list is in `ring`.
        var isInRing = false

        /// The bytes that count towards the maximum. Lists that hold favorites are bounded by the store itself.
        var cost: Int {
            guard answer != nil || ids.isEmpty && areIDsKnown else { return 0 }
            return ListMirror.overhead + (answer?.byteCount ?? 0)
        }
    }

    /// The bytes that an entry takes beside its contents.
    private static let overhead = 256
    /// The changes that wait to be applied to an answer.
    private static let maximumLater = 8

    /// The history in which all revisions here count.
    private(set) var history: HistoryID
    private let maximumBytes: Int
    private var entries: [ListName: Entry] = [:]
    /// The names of entries that may be evicted, in a ring that the hand goes round.
    private var ring: [ListName] = []
    private var hand = 0
    private(set) var byteCount = 0
    /// The highest revision of an empty list that was evicted. A change of a list that is not here, up to this revision, may
    /// be an old one that comes again.
    private var evictedRevision: Int64 = 0
    private(set) var reading: Reading = 0
    /// Whether a list without an entry is known to be empty.
    private(set) var isComplete = false

    init(in history: HistoryID, maximumBytes: Int) {
        self.history = history
        self.maximumBytes = maximumBytes
    }

    // MARK: Queries

    /// Returns the ids on a list; nil if they are not known.
    func ids(of list: ListName) -> [Int64]? {
        guard let entry = entries[list] else { return isComplete ? [] : nil }
        return entry.areIDsKnown ? entry.ids : nil
    }

    /// Returns the ids that were last known to be on a list.
    func lastKnownIDs(of list: ListName) -> [Int64] { entries[list]?.ids ?? [] }

    /// Returns the highest revision that a list is known to have reached; 0 if none is.
    func revision(of list: ListName) -> Int64 { entries[list]?.revision ?? 0 }

    /// Returns the answer of a list, if it is here.
    func answer(of list: ListName) -> Answer? {
        guard let answer = entries[list]?.answer else { return nil }
        answer.encoded.use()
        return answer
    }

    /// The number of answers that are here.
    var answerCount: Int { entries.values.count { $0.answer != nil } }

    // MARK: Events

    /// Applies an event of the feed. One that is known already changes nothing.
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

    /// Adds a list of which nothing is known but that, if all lists are known, it was empty.
    private mutating func added(_ news: ListChange) {
        let known = isComplete && news.revision > evictedRevision ? news.change : nil
        var ids: [Int64] = []
        known?.apply(to: &ids)
        entries[news.list] = Entry(revision: news.revision, ids: ids, areIDsKnown: known != nil)
        change(news.list) { _ in }
    }

    /// Notes that events were lost: everything has to be read again.
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

    /// Goes on in another history: everything has to be read again, and no revision of before counts. The ids that were
    /// last known stay, for searches while the store cannot be read.
    mutating func renewed(_ history: HistoryID) {
        lost()
        self.history = history
        evictedRevision = 0
        for name in entries.keys { entries[name]?.revision = 0 }
    }

    // MARK: Answers of the store

    /// Takes lists that were read for a reading.
    ///
    /// - Returns: Whether the reading goes on; false if events were lost since it began.
    mutating func read(_ lists: [ListSummary], in reading: Reading) -> Bool {
        guard reading == self.reading else { return false }
        for list in lists {
            guard entries[list.name] != nil || !list.ids.isEmpty else { continue }
            update(list.name, to: list.revision, list.ids, answer: nil)
        }
        return true
    }

    /// Ends a reading of all lists.
    ///
    /// - Returns: Whether all lists are known now; false if events were lost since it began.
    mutating func finish(_ reading: Reading) -> Bool {
        guard reading == self.reading else { return false }
        isComplete = true
        return true
    }

    /// Takes the answer of a list that was read. One that is older than what is known, or of another history, changes
    /// nothing.
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
            // It takes the place behind the hand, so that it is looked at last.
            ring.append(list)
            hand = min(hand, ring.count - 1)
            ring.swapAt(hand, ring.count - 1)
            hand += 1
        }
        byteCount += cost - before
        while byteCount > maximumBytes, !ring.isEmpty { evictNext() }
    }

    /// Looks at the next entry of the ring, and evicts it unless it was used since the last look.
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
        // An empty list is the same as one that is not here, unless that is not known.
        if let entry = entries[name], entry.ids.isEmpty, entry.areIDsKnown {
            entries[name] = nil
            evictedRevision = max(evictedRevision, entry.revision)
        }
    }
}

extension FavoritesChange {
    /// The bytes that the change is estimated to take in memory.
    fileprivate var estimatedByteCount: Int {
        let all = evicted + cleared + [saved, removed].compactMap(\.self)
        return all.reduce(256) { $0 + $1.character.estimatedByteCount }
    }
}
