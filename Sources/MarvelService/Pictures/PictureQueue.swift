internal import MarvelAPI
internal import MarvelDomain

/// What a keeper of pictures has to do, and when: a value that knows no clock, no store and no source.
///
/// It begins with a look at what the store has and lacks. Whatever is left out later, because too much waits or because
/// a source does not answer for long, another look finds.
struct PictureQueue {
    typealias Instant = ContinuousClock.Instant

    /// What is to be done next. All but `wait` are ended by telling what came of it.
    enum Step: Equatable {
        /// Let go of the pictures of those characters if they are on no list; nil: of all such.
        case drop(Set<Int64>?)
        case keep([Int64: Picture])
        /// Ask the store for favorites without a picture.
        case scan(excluding: Set<Int64>)
        case fetch(MarvelCharacter)
        /// Nothing before that moment, or before something happens.
        case wait(until: Instant?)
    }

    struct Limits {
        var waiting = 1_000
        var fetching = 2
        /// Fetched and not yet kept.
        var fetched = 64
        /// Ids that are remembered to save work.
        var remembered = 65_536
        /// For one character, before the next look at the store finds it again.
        var attempts = 6
        /// For other pictures to come, which share a transaction: toggles need the disk too.
        var keepDelay = Duration.milliseconds(100)
        /// A favorite that was removed may come back.
        var dropDelay = Duration.seconds(60)
        var scanDelay = Duration.seconds(600)
        var retryDelays = Duration.seconds(1)...Duration.seconds(300)
        /// When a quota is used up and the source does not say for how long.
        var quotaDelay = Duration.seconds(15 * 60)
        /// However long a source asks to wait.
        var longestDelay = Duration.seconds(3_600)
    }

    private struct Entry {
        var character: MarvelCharacter
        /// The host that has the picture; empty: none.
        var host: String
        var attempts = 0

        init(character: MarvelCharacter) {
            self.character = character
            host = character.thumbnail.flatMap { try? GatewayURL($0.path) }?.authority ?? ""
        }
    }

    /// A host that failed is left alone for a while, and no other with it.
    private struct Pause {
        /// Since it answered last.
        var failures = 0
        var end: Instant
    }

    private let limits: Limits
    private var waiting: [Entry] = []
    private var fetching: [Int64: Entry] = [:]
    private var fetched: [Int64: Picture] = [:]
    /// Of which pictures are kept, as far as is known.
    private var kept: Set<Int64> = []
    /// Of which there are no pictures.
    private var without: Set<Int64> = []
    /// What left a list; nil: it was too much to remember.
    private var left: Set<Int64>?
    private var isStoreBusy = false
    private var pauses: [String: Pause] = [:]
    private var keepDue: Instant?
    private var dropDue: Instant?
    private var scanDue: Instant?

    init(now: Instant, limits: Limits = Limits()) {
        self.limits = limits
        dropDue = now
        scanDue = now
    }

    // MARK: What happens

    /// A list was changed.
    ///
    /// - Returns: Whether there is something new to do.
    mutating func changed(_ change: FavoritesChange, at now: Instant) -> Bool {
        var isNew = false
        for favorite in change.evicted + [change.removed].compactMap(\.self) {
            if dropDue == nil {
                left = []
                dropDue = now + limits.dropDelay
                isNew = true
            }
            left?.insert(favorite.character.id)
            if let count = left?.count, count > limits.remembered { left = nil }
        }
        if let saved = change.saved?.character, !kept.contains(saved.id) {
            // Saved again, it may have got a picture since.
            without.remove(saved.id)
            isNew = wait(for: saved, at: now) || isNew
        }
        return isNew
    }

    /// The store told which favorites have no picture, as many as were asked for; nil: it could not tell.
    mutating func scanned(_ characters: [MarvelCharacter]?, at now: Instant) {
        isStoreBusy = false
        guard let characters else { return scanLater(now + limits.scanDelay) }
        for character in characters { _ = wait(for: character, at: now) }
        if characters.count >= limits.waiting { scanLater(now) }
    }

    /// The store has it already.
    mutating func foundKept(_ id: Int64) {
        fetching[id] = nil
        remember(id, in: \.kept)
    }

    mutating func fetched(_ picture: Picture, of id: Int64, at now: Instant) {
        if let entry = fetching.removeValue(forKey: id) { pauses[entry.host] = nil }
        fetched[id] = picture
        keepDue = keepDue ?? now + limits.keepDelay
    }

    /// It could not be fetched, or the store could not tell whether it has it (nil).
    mutating func failed(_ id: Int64, _ error: PictureError?, at now: Instant) {
        guard var entry = fetching.removeValue(forKey: id) else { return }
        guard error?.isTransient ?? true else { return remember(id, in: \.without) }
        let failures = (pauses[entry.host]?.failures ?? 0) + 1
        pauses[entry.host] = Pause(failures: failures, end: now + pause(after: error, failures))
        entry.attempts += 1
        if entry.attempts < limits.attempts { waiting.append(entry) } else { scanLater(now + limits.scanDelay) }
    }

    /// The store keeps the pictures of those characters; nil: it failed.
    mutating func keeps(_ ids: Set<Int64>?, at now: Instant) {
        isStoreBusy = false
        guard let ids else { return scanLater(now + limits.scanDelay) }
        for id in ids { remember(id, in: \.kept) }
    }

    /// What was to be dropped is, or waits for the next start.
    mutating func dropped() { isStoreBusy = false }

    // MARK: What to do

    mutating func next(at now: Instant) -> Step {
        if !isStoreBusy, let step = storeStep(at: now) {
            isStoreBusy = true
            return step
        }
        if let index = fetchable(at: now) {
            let entry = waiting.remove(at: index)
            fetching[entry.character.id] = entry
            return .fetch(entry.character)
        }
        let moments = [keepDue, dropDue, scanDue].compactMap(\.self) + waiting.compactMap { pauses[$0.host]?.end }
        return .wait(until: moments.filter { $0 > now }.min())
    }

    private mutating func storeStep(at now: Instant) -> Step? {
        if let dropDue, dropDue <= now, fetching.isEmpty {
            let ids = left
            (self.dropDue, left) = (nil, nil)
            // Known no more before they are dropped: whoever saves one meanwhile has it looked for.
            if let ids { kept.subtract(ids) } else { kept = [] }
            return .drop(ids)
        }
        if let keepDue, keepDue <= now || fetched.count >= limits.fetched {
            let pictures = fetched
            (self.keepDue, fetched) = (nil, [:])
            return .keep(pictures)
        }
        if let scanDue, scanDue <= now, waiting.isEmpty, fetching.isEmpty, fetched.isEmpty {
            self.scanDue = nil
            return .scan(excluding: without)
        }
        return nil
    }

    /// Where the next waits that can be fetched now.
    private func fetchable(at now: Instant) -> Int? {
        // Nothing new is begun before a drop that is due, which waits for what is being looked for.
        if let dropDue, dropDue <= now { return nil }
        guard fetching.count < limits.fetching, fetching.count + fetched.count < limits.fetched else { return nil }
        return waiting.firstIndex { entry in
            fetching[entry.character.id] == nil && pauses[entry.host].map { $0.end <= now } ?? true
        }
    }

    // MARK: How

    private mutating func wait(for character: MarvelCharacter, at now: Instant) -> Bool {
        guard !waiting.contains(where: { $0.character.id == character.id }) else { return false }
        guard waiting.count < limits.waiting else {
            scanLater(now)
            return false
        }
        waiting.append(Entry(character: character))
        return true
    }

    private mutating func scanLater(_ moment: Instant) {
        scanDue = min(scanDue ?? moment, moment)
    }

    private mutating func remember(_ id: Int64, in ids: WritableKeyPath<PictureQueue, Set<Int64>>) {
        if self[keyPath: ids].count >= limits.remembered { self[keyPath: ids] = [] }
        self[keyPath: ids].insert(id)
    }

    private func pause(after error: PictureError?, _ failures: Int) -> Duration {
        let doublings = min(failures - 1, 20)
        let delay = min(limits.retryDelays.lowerBound * (1 << doublings), limits.retryDelays.upperBound)
        let wish: Duration? =
            switch error {
            case .upstream(.quota(let wish)): wish ?? limits.quotaDelay
            case .upstream(let failure): failure.retryDelay
            default: nil
            }
        return max(delay, min(wish ?? .zero, limits.longestDelay))
    }
}
