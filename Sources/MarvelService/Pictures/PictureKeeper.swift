package import Catalog
package import MarvelDomain
internal import RPCCore
internal import Synchronization

/// A keeper of a picture of every favorite. It is notified of changes, which do not wait for its work. Every second it
/// looks for what there is to do: it fetches pictures, a few at a time, and lets the store keep them.
///
/// It begins with a scan of the store for missing pictures. Characters that are left out later, because too many wait or
/// the store fails, are found by another scan.
package final class PictureKeeper: Sendable {
    /// The maximum number of characters that wait for their pictures.
    static let maximumWanted = 1_000
    /// The maximum number of pictures that are fetched and not yet kept.
    private static let batch = 16
    /// The maximum of ids that are remembered to save work.
    private static let maximumRemembered = 65_536
    /// The wait before a drop, because a removed favorite may be saved again.
    private static let dropDelay = Duration.seconds(60)
    private static let scanDelay = Duration.seconds(600)
    private static let backoff = Backoff(initial: .seconds(1), maximum: .seconds(300))
    /// The failures in a row after which the characters of a host are left to the next scan.
    private static let maximumFailures = 6

    private struct State {
        /// The characters that wait for their pictures, by their ids.
        var wanted: [Int64: MarvelCharacter] = [:]
        /// The ids whose pictures are kept, as far as is known.
        var kept: Set<Int64> = []
        /// The characters for which there was no picture, with the time of the search.
        var unavailable: [Int64: (thumbnail: Thumbnail?, time: ContinuousClock.Instant)] = [:]
        /// The hosts that failed, with the number of failures since the last answer. Other hosts are not affected.
        var failing: [String: (failures: Int, end: ContinuousClock.Instant)] = [:]
        /// The ids that left a list; nil if they are not known.
        var removedIDs: Set<Int64>?
        var dropDue: ContinuousClock.Instant?
        var scanDue: ContinuousClock.Instant?

        func isPaused(_ character: MarvelCharacter, at now: ContinuousClock.Instant) -> Bool {
            failing[character.pictureHost].map { $0.end > now } ?? false
        }

        mutating func scanLater(_ moment: ContinuousClock.Instant) { scanDue = min(scanDue ?? moment, moment) }
    }

    private let store: any PictureStore
    private let source: any PictureSource
    private let now: @Sendable () -> ContinuousClock.Instant
    private let sleep: @Sendable (Duration) async throws -> Void
    private let onKept: @Sendable (Set<Int64>) -> Void
    private let onFailure: @Sendable (Int64, PictureError) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - store: The store of the pictures.
    ///   - source: The source of the pictures.
    ///   - now: The clock.
    ///   - sleep: Waits on that clock, and throws when the task is cancelled.
    ///   - onKept: Called with the ids of characters whose pictures the store has kept.
    ///   - onFailure: Called with a character's id, for the operator, when its picture could not be fetched.
    package init(
        store: any PictureStore,
        source: any PictureSource,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onKept: @escaping @Sendable (Set<Int64>) -> Void = { _ in },
        onFailure: @escaping @Sendable (Int64, PictureError) -> Void = { _, _ in }
    ) {
        self.store = store
        self.source = source
        self.now = now
        self.sleep = sleep
        self.onKept = onKept
        self.onFailure = onFailure
        state = Mutex(State(dropDue: now(), scanDue: now()))
    }

    /// Notes a change of a list, or with nil that some changes are not known. It does not block.
    package func changed(_ change: FavoritesChange?) {
        let now = now()
        state.withLock { state in
            guard let change else {
                state.removedIDs = nil
                state.dropDue = state.dropDue ?? now + Self.dropDelay
                return state.scanLater(now)
            }
            change.forEachLeavingID { id in
                if state.dropDue == nil { (state.dropDue, state.removedIDs) = (now + Self.dropDelay, []) }
                state.removedIDs?.insert(id)
            }
            if let count = state.removedIDs?.count, count > Self.maximumRemembered { state.removedIDs = nil }
            if let saved = change.saved?.character { Self.want(saved, &state, at: now) }
        }
    }

    /// Wants the picture of a character, unless the same was looked for and not found a while ago: characters without a
    /// picture are saved as often as others.
    private static func want(_ character: MarvelCharacter, _ state: inout State, at now: ContinuousClock.Instant) {
        guard !state.kept.contains(character.id) else { return }
        if let missing = state.unavailable[character.id] {
            guard missing.thumbnail != character.thumbnail || missing.time + scanDelay <= now else { return }
            state.unavailable[character.id] = nil
        }
        guard state.wanted[character.id] != nil || state.wanted.count < maximumWanted else {
            return state.scanLater(now)
        }
        state.wanted[character.id] = character
    }

    /// Returns the picture that is kept of a character, or nil.
    package func keptPicture(of id: Int64) async throws(StoreError) -> KeptPicture? {
        try await store.picture(of: id)
    }

    /// Fetches and keeps pictures until its task is cancelled. It must be called only once.
    package func run() async {
        while !Task.isCancelled {
            await drop()
            await scan()
            if await fetch() { continue }
            do { try await sleep(.seconds(1)) } catch { return }
        }
    }

    // MARK: Work

    /// Drops the pictures of characters that left their lists a while ago, and at the start all that are on no list.
    private func drop() async {
        let now = now()
        guard state.withLock({ $0.dropDue.map { $0 <= now } ?? false }) else { return }
        let ids = state.withLock { state in
            defer { (state.dropDue, state.removedIDs) = (nil, nil) }
            // They are forgotten before the drop, so that a character saved during the drop is fetched again.
            if let ids = state.removedIDs { state.kept.subtract(ids) } else { state.kept = [] }
            return state.removedIDs
        }
        // A failed drop is repeated at the next start; the store has reported it to its operator.
        try? await store.dropPictures(of: ids)
    }

    /// Asks the store for favorites without a picture, if that is due.
    private func scan() async {
        let now = now()
        let excluded: Set<Int64>? = state.withLock { state in
            guard let due = state.scanDue, due <= now, state.wanted.isEmpty else { return nil }
            state.scanDue = nil
            return Set(state.unavailable.keys)
        }
        guard let excluded else { return }
        let limit = Self.maximumWanted
        let characters = try? await store.charactersWithoutPicture(excluding: excluded, limit: limit)
        state.withLock { state in
            guard let characters else { return state.scanLater(now + Self.scanDelay) }
            for character in characters { Self.want(character, &state, at: now) }
            if characters.count >= limit { state.scanLater(now) }
        }
    }

    /// Fetches pictures, and lets the store keep them in one transaction: toggles need the disk too.
    ///
    /// - Returns: Whether there was anything to fetch.
    private func fetch() async -> Bool {
        let now = now()
        let batch = state.withLock { state in
            Array(state.wanted.values.filter { !state.isPaused($0, at: now) }.prefix(Self.batch))
        }
        guard !batch.isEmpty else { return false }
        let middle = batch.count / 2
        // Two at a time.
        async let first = pictures(of: batch[..<middle])
        async let second = pictures(of: batch[middle...])
        let pictures = await first.merging(second) { $1 }
        guard !pictures.isEmpty else { return true }
        let kept = try? await store.keep(pictures)
        state.withLock { state in
            for id in pictures.keys { state.wanted[id] = nil }
            if let kept { Self.note(kept, &state) } else { state.scanLater(now + Self.scanDelay) }
        }
        if let kept { onKept(kept) }
        return true
    }

    private func pictures(of characters: ArraySlice<MarvelCharacter>) async -> [Int64: Picture] {
        var pictures: [Int64: Picture] = [:]
        for character in characters where !Task.isCancelled {
            // Another one of its host may have failed meanwhile.
            let isPaused = state.withLock { $0.isPaused(character, at: now()) }
            if !isPaused, let picture = await picture(of: character) { pictures[character.id] = picture }
        }
        return pictures
    }

    private func picture(of character: MarvelCharacter) async -> Picture? {
        let id = character.id
        guard let isKept = try? await store.hasPicture(of: id) else {
            state.withLock { state in
                state.wanted[id] = nil
                state.scanLater(now() + Self.scanDelay)
            }
            return nil
        }
        if isKept {
            state.withLock { state in
                state.wanted[id] = nil
                Self.note([id], &state)
            }
            return nil
        }
        do throws(PictureError) {
            let picture = try await source.picture(of: character, KeptPicture.variant).picture
            state.withLock { $0.failing[character.pictureHost] = nil }
            return picture
        } catch {
            if error != .upstream(.cancelled) { onFailure(id, error) }
            failed(character, error)
            return nil
        }
    }

    private func failed(_ character: MarvelCharacter, _ error: PictureError) {
        let now = now()
        state.withLock { state in
            guard error.isTransient else {
                state.wanted[character.id] = nil
                if state.unavailable.count >= Self.maximumRemembered { state.unavailable = [:] }
                state.unavailable[character.id] = (character.thumbnail, now)
                return
            }
            let host = character.pictureHost
            let failures = (state.failing[host]?.failures ?? 0) + 1
            state.failing[host] = (failures, now + Self.delay(after: error, failures))
            guard failures >= Self.maximumFailures else { return }
            state.wanted = state.wanted.filter { $0.value.pictureHost != host }
            state.scanLater(now + Self.scanDelay)
        }
    }

    private static func note(_ ids: Set<Int64>, _ state: inout State) {
        if state.kept.count >= maximumRemembered { state.kept = [] }
        state.kept.formUnion(ids)
    }

    /// Returns the time for which a host is left alone after a number of failures in a row.
    private static func delay(after error: PictureError, _ failures: Int) -> Duration {
        // One server asks a host, so its delays need no jitter.
        let delay = backoff.delay(afterFailures: failures, random: 1)
        let requested: Duration? =
            switch error {
            case .upstream(.quota(let requested)): requested ?? SourceError.quotaProbeInterval
            case .upstream(let failure): failure.retryDelay
            default: nil
            }
        return max(delay, min(requested ?? .zero, SourceError.longestRetryDelay))
    }
}
