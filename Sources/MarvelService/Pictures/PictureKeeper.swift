package import Catalog
package import MarvelDomain
internal import RPCCore
internal import Synchronization

/// Keeps a picture of every favorite pinned in the cache. Changes do not wait for its work. It begins with a scan of
/// the store for favorites without a pinned picture. Later scans find the characters that it left out.
package final class PictureKeeper: Sendable {
    static let maximumWanted = 1_000
    private static let batch = 16
    /// A picture has at most 3 MiB.
    private static let formerBatch = 8
    private static let maximumRemembered = 65_536
    /// A removed favorite may be saved again.
    private static let dropDelay = Duration.seconds(60)
    private static let scanDelay = Duration.seconds(600)
    private static let backoff = Backoff(initial: .seconds(1), maximum: .seconds(300))
    /// After so many failures, a host's characters are left to the next scan.
    private static let maximumFailures = 6

    private struct State {
        var wanted: [Int64: MarvelCharacter] = [:]
        /// Nil until the next scan has read them.
        var pinned: Set<Int64>?
        /// Characters without a picture, with the time of the search.
        var unavailable: [Int64: (thumbnail: Thumbnail?, time: ContinuousClock.Instant)] = [:]
        /// Hosts with the failures since the last answer. Other hosts are not affected.
        var failing: [String: (failures: Int, end: ContinuousClock.Instant)] = [:]
        /// Nil if they are not known.
        var removedIDs: Set<Int64>?
        var dropDue: ContinuousClock.Instant?
        var scanDue: ContinuousClock.Instant?

        func isPaused(_ character: MarvelCharacter, at now: ContinuousClock.Instant) -> Bool {
            failing[character.pictureHost].map { $0.end > now } ?? false
        }

        mutating func scanLater(_ moment: ContinuousClock.Instant) { scanDue = min(scanDue ?? moment, moment) }

        /// The store or the cache failed.
        mutating func pause(_ moment: ContinuousClock.Instant) {
            (wanted, pinned) = ([:], nil)
            scanLater(moment)
        }
    }

    private let favorites: any FavoriteCharacters
    private let cache: any PinnedPictures
    private let source: any PictureSource
    private let date: @Sendable () -> Timestamp
    private let now: @Sendable () -> ContinuousClock.Instant
    private let sleep: @Sendable (Duration) async throws -> Void
    private let onPinned: @Sendable (Int) -> Void
    private let onFailure: @Sendable (Int64, PictureError) -> Void
    private let state: Mutex<State>

    /// `date` is the wall clock, `now` the clock for delays, and `sleep` waits on that. `onFailure` gets the id of a
    /// character.
    package init(
        favorites: any FavoriteCharacters,
        cache: any PinnedPictures,
        source: any PictureSource,
        date: @escaping @Sendable () -> Timestamp,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onPinned: @escaping @Sendable (Int) -> Void = { _ in },
        onFailure: @escaping @Sendable (Int64, PictureError) -> Void = { _, _ in }
    ) {
        self.favorites = favorites
        self.cache = cache
        self.source = source
        self.date = date
        self.now = now
        self.sleep = sleep
        self.onPinned = onPinned
        self.onFailure = onFailure
        state = Mutex(State(dropDue: now(), scanDue: now()))
    }

    /// Nil means that some changes are unknown. It does not block.
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

    /// Characters without a picture are saved as often as others.
    private static func want(_ character: MarvelCharacter, _ state: inout State, at now: ContinuousClock.Instant) {
        guard state.pinned?.contains(character.id) != true else { return }
        if let missing = state.unavailable[character.id] {
            guard missing.thumbnail != character.thumbnail || missing.time + scanDelay <= now else { return }
            state.unavailable[character.id] = nil
        }
        guard state.wanted[character.id] != nil || state.wanted.count < maximumWanted else {
            return state.scanLater(now)
        }
        state.wanted[character.id] = character
    }

    /// The age is in whole seconds. Nil without a pinned picture.
    package func pinnedPicture(of id: Int64) async -> (picture: Picture, age: Duration)? {
        guard let kept = await cache.pinnedPicture(of: id) else {
            // A damaged picture was unpinned, and is fetched again.
            state.withLock { if $0.pinned?.contains(id) == true { $0.pause(now()) } }
            return nil
        }
        let (age, overflow) = date().seconds.subtractingReportingOverflow(kept.fetchedAt.seconds)
        return (kept.picture, .seconds(overflow ? 0 : max(0, age)))
    }

    /// Runs until its task is cancelled. Call it only once.
    package func run() async {
        while !Task.isCancelled {
            await drop()
            await scan()
            if await fetch() { continue }
            do { try await sleep(.seconds(1)) } catch { return }
        }
    }

    // MARK: Work

    /// Unpins, at the start, all pictures that are on no list. Failed work is left to the next start.
    private func drop() async {
        let now = now()
        guard state.withLock({ $0.dropDue.map { $0 <= now } ?? false }) else { return }
        let removed = state.withLock { state in
            defer { (state.dropDue, state.removedIDs) = (nil, nil) }
            return state.removedIDs
        }
        var ids = removed
        if ids == nil { ids = await cache.pinnedIDs() }
        guard let ids else { return }
        // They are forgotten first, so that a character saved during the drop is fetched again.
        let pinned = state.withLock { state in
            defer { state.pinned?.subtract(ids) }
            return state.pinned?.intersection(ids) ?? []
        }
        let used = try? await favorites.favorites(among: ids)
        // A store without favorites may be the wrong one, and the pictures may be the last copies.
        guard let used, removed != nil || !used.isEmpty else {
            return state.withLock { $0.pinned?.formUnion(pinned) }
        }
        await cache.unpin(ids.subtracting(used))
        state.withLock { $0.pinned?.formUnion(pinned.intersection(used)) }
    }

    private func scan() async {
        let now = now()
        let isDue = state.withLock { state in
            guard let due = state.scanDue, due <= now, state.wanted.isEmpty || state.pinned == nil else { return false }
            state.scanDue = nil
            return true
        }
        guard isDue else { return }
        let limit = Self.maximumWanted
        guard let pinned = await pinFormerPictures(),
            case let known = state.withLock({ pinned.union($0.unavailable.keys) }),
            let missing = try? await favorites.favoriteCharacters(excluding: known, limit: limit)
        else { return state.withLock { $0.pause(now + Self.scanDelay) } }
        state.withLock { state in
            state.pinned = pinned
            state.wanted = state.wanted.filter { !pinned.contains($0.key) }
            for character in missing { Self.want(character, &state, at: now) }
            if missing.count >= limit { state.scanLater(now) }
        }
    }

    /// An earlier version kept pictures in the store. Returns the ids of all pinned ones; nil if the store or the cache
    /// failed.
    private func pinFormerPictures() async -> Set<Int64>? {
        guard var pinned = await cache.pinnedIDs(), let former = try? await favorites.formerPictureIDs() else {
            return nil
        }
        var rest = Array(former.subtracting(pinned))
        while !rest.isEmpty {
            let ids = Array(rest.suffix(Self.formerBatch))
            rest.removeLast(ids.count)
            guard let pictures = try? await favorites.formerPictures(of: ids), await cache.pin(pictures) else {
                return nil
            }
            pinned.formUnion(pictures.map(\.id))
        }
        return pinned
    }

    /// One transaction, because toggles need the disk too. Returns whether there was anything to fetch.
    private func fetch() async -> Bool {
        let now = now()
        let batch: [MarvelCharacter] = state.withLock { state in
            guard state.pinned != nil else { return [] }
            return Array(state.wanted.values.filter { !state.isPaused($0, at: now) }.prefix(Self.batch))
        }
        guard !batch.isEmpty else { return false }
        let middle = batch.count / 2
        async let first = pictures(of: batch[..<middle])
        async let second = pictures(of: batch[middle...])
        let pictures = await first + second
        guard !pictures.isEmpty else { return true }
        // They are forgotten first, so that a character that leaves its list and is saved again meanwhile is fetched.
        state.withLock { state in for picture in pictures { state.wanted[picture.id] = nil } }
        // A character that left its lists long ago would keep its picture until the next start.
        guard let used = try? await favorites.favorites(among: Set(pictures.map(\.id))),
            await cache.pin(pictures.filter { used.contains($0.id) })
        else {
            state.withLock { $0.pause(self.now() + Self.scanDelay) }
            return true
        }
        state.withLock { $0.pinned?.formUnion(used) }
        if !used.isEmpty { onPinned(used.count) }
        return true
    }

    private func pictures(of characters: ArraySlice<MarvelCharacter>) async -> [KeptPicture] {
        var pictures: [KeptPicture] = []
        for character in characters where !Task.isCancelled {
            // Another picture of its host may have failed meanwhile.
            let isPaused = state.withLock { $0.isPaused(character, at: now()) }
            if !isPaused, let picture = await picture(of: character) { pictures.append(picture) }
        }
        return pictures
    }

    private func picture(of character: MarvelCharacter) async -> KeptPicture? {
        do throws(PictureError) {
            let picture = try await source.picture(of: character, KeptPicture.variant).picture
            state.withLock { $0.failing[character.pictureHost] = nil }
            return KeptPicture(id: character.id, picture: picture, fetchedAt: date())
        } catch {
            if error != .upstream(.cancelled) { onFailure(character.id, error) }
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
