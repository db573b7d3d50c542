internal import Catalog
internal import MarvelDomain
internal import RPCCore

/// The queue of a picture keeper: the next steps, and their times. It is a value without a clock, a store or a source.
///
/// It begins with a scan of the store for missing pictures. Characters that are left out later, because the queue is
/// full or a source does not answer for long, are found by another scan.
struct PictureQueue {
    typealias Instant = ContinuousClock.Instant

    /// The next step. The keeper reports the result of each step but `wait`.
    enum Step: Equatable {
        /// Drop the pictures of those characters if they are on no list; nil means all such pictures.
        case drop(Set<Int64>?)
        case keep([Int64: Picture])
        /// Ask the store for favorites without a picture.
        case scan(excluding: Set<Int64>)
        case fetch(MarvelCharacter)
        /// Do nothing before that moment, or before the next event.
        case wait(until: Instant?)
    }

    /// The limits and delays of the queue.
    struct Limits {
        var waiting = 1_000
        var fetching = 2
        /// The maximum of pictures that are fetched and not yet kept.
        var fetched = 64
        /// The maximum of ids that are remembered to save work.
        var remembered = 65_536
        /// The attempts for one character before it is left to the next scan.
        var attempts = 6
        /// The wait for further pictures, which share a transaction: toggles need the disk too.
        var keepDelay = Duration.milliseconds(100)
        /// The wait before a drop, because a removed favorite may be saved again.
        var dropDelay = Duration.seconds(60)
        var scanDelay = Duration.seconds(600)
        var backoff = Backoff(initial: .seconds(1), maximum: .seconds(300))
        /// The wait if a quota is used up and the source does not name a time.
        var quotaDelay = SourceError.quotaProbeInterval
        /// The maximum wait, even if a source asks for a longer one.
        var longestDelay = SourceError.longestRetryDelay
    }

    private struct Entry {
        var character: MarvelCharacter
        /// The host of the picture; empty means none.
        var host: String
        var attempts = 0

        init(character: MarvelCharacter) {
            self.character = character
            host = character.pictureHost
        }
    }

    /// The backoff of a host that failed. Other hosts are not affected.
    private struct HostBackoff {
        /// The failures since its last answer.
        var failures = 0
        var end: Instant
    }

    /// A picture that was looked for and not found.
    private struct MissingPicture {
        let thumbnail: Thumbnail?
        /// The time of the search.
        let time: Instant
    }

    private let limits: Limits
    private var waiting: [Entry] = []
    private var fetching: [Int64: Entry] = [:]
    private var fetched: [Int64: Picture] = [:]
    /// The ids whose pictures are kept, as far as is known.
    private var kept: Set<Int64> = []
    /// The characters for which there was no picture, by their ids.
    private var unavailable: [Int64: MissingPicture] = [:]
    /// The ids that were removed from a list; nil if they were too many to remember.
    private var removedIDs: Set<Int64>?
    private var isStoreBusy = false
    private var backoffs: [String: HostBackoff] = [:]
    private var keepDue: Instant?
    private var dropDue: Instant?
    private var scanDue: Instant?

    init(now: Instant, limits: Limits = Limits()) {
        self.limits = limits
        dropDue = now
        scanDue = now
    }

    // MARK: Events

    /// Notes a change of a list.
    ///
    /// - Returns: Whether there is a new step to take.
    mutating func changed(_ change: FavoritesChange, at now: Instant) -> Bool {
        var isNew = false
        for favorite in change.evicted { isNew = removed(favorite.character.id, at: now) || isNew }
        if let favorite = change.removed { isNew = removed(favorite.character.id, at: now) || isNew }
        if let saved = change.saved?.character, !kept.contains(saved.id) {
            isNew = look(for: saved, at: now) || isNew
        }
        return isNew
    }

    private mutating func removed(_ id: Int64, at now: Instant) -> Bool {
        let isNew = dropDue == nil
        if isNew {
            removedIDs = []
            dropDue = now + limits.dropDelay
        }
        removedIDs?.insert(id)
        if let count = removedIDs?.count, count > limits.remembered { removedIDs = nil }
        return isNew
    }

    /// Notes that changes of lists are missing: the pictures are compared with all lists again.
    ///
    /// - Returns: Whether there is a new step to take.
    mutating func changesWereMissed(at now: Instant) -> Bool {
        removedIDs = nil
        dropDue = dropDue ?? now + limits.dropDelay
        scanLater(now)
        return true
    }

    /// Notes the result of a scan: favorites without a picture, at most as many as were asked for; nil means a failure.
    mutating func scanned(_ characters: [MarvelCharacter]?, at now: Instant) {
        isStoreBusy = false
        guard let characters else { return scanLater(now + limits.scanDelay) }
        for character in characters { _ = wait(for: character, at: now) }
        if characters.count >= limits.waiting { scanLater(now) }
    }

    /// Notes that the store has the picture already.
    mutating func foundKept(_ id: Int64) {
        fetching[id] = nil
        rememberKept(id)
    }

    mutating func fetched(_ picture: Picture, of id: Int64, at now: Instant) {
        if let entry = fetching.removeValue(forKey: id) { backoffs[entry.host] = nil }
        fetched[id] = picture
        keepDue = keepDue ?? now + limits.keepDelay
    }

    /// Notes that a picture could not be fetched, or that the store could not tell whether it has it (nil).
    mutating func failed(_ id: Int64, _ error: PictureError?, at now: Instant) {
        guard var entry = fetching.removeValue(forKey: id) else { return }
        guard error?.isTransient ?? true else {
            if unavailable.count >= limits.remembered { unavailable = [:] }
            unavailable[id] = MissingPicture(thumbnail: entry.character.thumbnail, time: now)
            return
        }
        let failures = (backoffs[entry.host]?.failures ?? 0) + 1
        backoffs[entry.host] = HostBackoff(failures: failures, end: now + backoff(after: error, failures))
        entry.attempts += 1
        if entry.attempts < limits.attempts { waiting.append(entry) } else { scanLater(now + limits.scanDelay) }
    }

    /// Notes that the store keeps the pictures of those characters; nil means that it failed.
    mutating func keeps(_ ids: Set<Int64>?, at now: Instant) {
        isStoreBusy = false
        guard let ids else { return scanLater(now + limits.scanDelay) }
        for id in ids { rememberKept(id) }
    }

    /// Notes the end of a drop. Pictures that it could not drop wait for the next start.
    mutating func dropped() { isStoreBusy = false }

    // MARK: Steps

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
        let moments = [keepDue, dropDue, scanDue].compactMap(\.self) + waiting.compactMap { backoffs[$0.host]?.end }
        return .wait(until: moments.filter { $0 > now }.min())
    }

    private mutating func storeStep(at now: Instant) -> Step? {
        if let dropDue, dropDue <= now, fetching.isEmpty {
            let ids = removedIDs
            (self.dropDue, removedIDs) = (nil, nil)
            // They are forgotten before the drop, so that a character saved during the drop is fetched again.
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
            return .scan(excluding: Set(unavailable.keys))
        }
        return nil
    }

    /// Returns the index of the next entry that can be fetched now.
    private func fetchable(at now: Instant) -> Int? {
        // No fetch begins before a drop that is due, and the drop waits for running fetches.
        if let dropDue, dropDue <= now { return nil }
        guard fetching.count < limits.fetching, fetching.count + fetched.count < limits.fetched else { return nil }
        return waiting.firstIndex { entry in
            fetching[entry.character.id] == nil && backoffs[entry.host].map { $0.end <= now } ?? true
        }
    }

    // MARK: Helpers

    /// Looks for the picture of a character that was saved, unless the same was looked for and not found a while ago:
    /// characters without a picture are saved as often as others.
    private mutating func look(for character: MarvelCharacter, at now: Instant) -> Bool {
        if let missing = unavailable[character.id] {
            guard missing.thumbnail != character.thumbnail || missing.time + limits.scanDelay <= now else {
                return false
            }
            unavailable[character.id] = nil
        }
        return wait(for: character, at: now)
    }

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

    private mutating func rememberKept(_ id: Int64) {
        if kept.count >= limits.remembered { kept = [] }
        kept.insert(id)
    }

    private func backoff(after error: PictureError?, _ failures: Int) -> Duration {
        // A host has one queue, so its delays need no jitter.
        let delay = limits.backoff.delay(afterFailures: failures, random: 1)
        let requested: Duration? =
            switch error {
            case .upstream(.quota(let requested)): requested ?? limits.quotaDelay
            case .upstream(let failure): failure.retryDelay
            default: nil
            }
        return max(delay, min(requested ?? .zero, limits.longestDelay))
    }
}
