package import Catalog
package import MarvelDomain
internal import RPCCore
internal import Synchronization

/// Keeps a picture of every favorite pinned in the cache. Changes do not wait for its work. It begins with a scan of the store
/// for favorites without a pinned picture. Later scans find the characters that it left out.
package final class PictureKeeper: Sendable {
    /// The maximum number of characters that wait for their pictures, and of those that a scan finds.
    static let maximumWanted = 1_000
    /// The pictures that are pinned in one transaction, because toggles need the disk too.
    private static let batch = 16
    /// A picture has at most 3 MiB.
    private static let formerBatch = 8
    private static let maximumPostponed = 65_536
    /// A removed favorite may be saved again.
    private static let dropDelay = Duration.seconds(60)
    /// The pause after a failure of the store or the cache.
    private static let scanDelay = Duration.seconds(600)
    /// The time for which a picture that does not exist is not searched again.
    private static let missingDelay = Duration.seconds(3_600)
    private static let backoff = Backoff(initial: .seconds(1), maximum: .seconds(300))

    private struct State {
        /// The characters that were saved since the last fetch.
        var wanted: [Int64: MarvelCharacter] = [:]
        /// Nil until the next scan has read them.
        var pinned: Set<Int64>?
        /// The characters whose pictures are not fetched before a time.
        var postponed: [Int64: ContinuousClock.Instant] = [:]
        /// The hosts with the failures since the last answer. Other hosts are not affected.
        var failing: [String: (failures: Int, end: ContinuousClock.Instant)] = [:]
        var dropDue: ContinuousClock.Instant?
        var scanDue: ContinuousClock.Instant?

        mutating func scan(by moment: ContinuousClock.Instant) { scanDue = min(scanDue ?? moment, moment) }

        mutating func postpone(_ character: MarvelCharacter, to moment: ContinuousClock.Instant) {
            if postponed.count >= maximumPostponed { postponed = [:] }
            postponed[character.id] = moment
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
            var hasLeft = change == nil
            change?.forEachLeavingID { _ in hasLeft = true }
            if hasLeft { state.dropDue = state.dropDue ?? now + Self.dropDelay }
            guard let change else { return state.scan(by: now) }
            // The next scan finds the character if the pinned ones are not known.
            guard let saved = change.saved?.character, state.pinned?.contains(saved.id) == false,
                state.postponed[saved.id].map({ $0 <= now }) ?? true
            else { return }
            if state.wanted.count < Self.maximumWanted { state.wanted[saved.id] = saved } else { state.scan(by: now) }
        }
    }

    /// The age is in whole seconds. Nil without a pinned picture.
    package func pinnedPicture(of id: Int64) async -> (picture: Picture, age: Duration)? {
        guard let kept = await cache.pinnedPicture(of: id) else {
            // A damaged picture was unpinned, and is fetched again.
            state.withLock { if $0.pinned?.contains(id) == true { ($0.pinned, $0.scanDue) = (nil, now()) } }
            return nil
        }
        let (age, overflow) = date().seconds.subtractingReportingOverflow(kept.fetchedAt.seconds)
        return (kept.picture, .seconds(overflow ? 0 : max(0, age)))
    }

    /// Runs until its task is cancelled. Call it only once.
    package func run() async {
        while !Task.isCancelled {
            await drop()
            if await fetch() { continue }
            do { try await sleep(.seconds(1)) } catch { return }
        }
    }

    // MARK: Work

    /// Unpins, at the start and after removals, all pictures that are on no list. Failed work is left to the next time.
    private func drop() async {
        let now = now()
        let isDue = state.withLock { state in
            guard let due = state.dropDue, due <= now else { return false }
            state.dropDue = nil
            return true
        }
        guard isDue else { return }
        // They are forgotten meanwhile, so that a character that is saved again is fetched if it loses its picture.
        let known = state.withLock { state in
            defer { if state.pinned != nil { state.pinned = [] } }
            return state.pinned
        }
        let unused = await unusedPictures()
        await cache.unpin(unused)
        state.withLock { $0.pinned = known?.subtracting(unused) }
    }

    private func unusedPictures() async -> Set<Int64> {
        // A store without favorites may be the wrong one, and the pictures may be the last copies.
        guard let pinned = await cache.pinnedIDs(), let used = try? await favorites.favorites(among: pinned),
            !used.isEmpty
        else { return [] }
        return pinned.subtracting(used)
    }

    /// Fetches missing pictures, one after the other. Returns whether there may be more.
    private func fetch() async -> Bool {
        let characters = await missingCharacters()
        for start in stride(from: 0, to: characters.count, by: Self.batch) {
            var pictures: [KeptPicture] = []
            for character in characters[start...].prefix(Self.batch) where !Task.isCancelled {
                if let picture = await picture(of: character) { pictures.append(picture) }
            }
            guard !pictures.isEmpty else { continue }
            guard await cache.pin(pictures) else {
                failed()
                return false
            }
            state.withLock { $0.pinned?.formUnion(pictures.map(\.id)) }
            onPinned(pictures.count)
        }
        return !characters.isEmpty
    }

    private func missingCharacters() async -> [MarvelCharacter] {
        let now = now()
        let wanted: [MarvelCharacter]? = state.withLock { state in
            defer { state.wanted = [:] }
            if let due = state.scanDue, due <= now { return nil }
            return state.wanted.values.filter { state.pinned?.contains($0.id) == false }
        }
        return if let wanted { wanted } else { await scan() }
    }

    private func scan() async -> [MarvelCharacter] {
        let now = now()
        let known = state.withLock { state in
            state.scanDue = state.failing.values.map(\.end).filter { $0 > now }.min()
            return state.pinned
        }
        let pinned = if let known { known } else { await pinFormerPictures() }
        let postponed = state.withLock { state in
            state.pinned = pinned
            state.postponed = state.postponed.filter { $0.value > now }
            return state.postponed.keys
        }
        guard let pinned,
            let missing = try? await favorites.favoriteCharacters(
                excluding: pinned.union(postponed),
                limit: Self.maximumWanted
            )
        else {
            failed()
            return []
        }
        if missing.count == Self.maximumWanted { state.withLock { $0.scan(by: now) } }
        return missing
    }

    /// The store or the cache failed: it is left alone for some time.
    private func failed() {
        state.withLock { ($0.wanted, $0.pinned, $0.scanDue) = ([:], nil, now() + Self.scanDelay) }
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

    private func picture(of character: MarvelCharacter) async -> KeptPicture? {
        let host = character.pictureHost
        let isPaused = state.withLock { state in
            guard let end = state.failing[host]?.end, end > now() else { return false }
            state.postpone(character, to: end)
            state.scan(by: end)
            return true
        }
        guard !isPaused else { return nil }
        do throws(PictureError) {
            let picture = try await source.picture(of: character, KeptPicture.variant).picture
            state.withLock { $0.failing[host] = nil }
            return KeptPicture(id: character.id, picture: picture, fetchedAt: date())
        } catch {
            if error != .upstream(.cancelled) { onFailure(character.id, error) }
            let now = now()
            state.withLock { state in
                guard error.isTransient else { return state.postpone(character, to: now + Self.missingDelay) }
                let failures = (state.failing[host]?.failures ?? 0) + 1
                let end = now + Self.delay(after: error, failures)
                state.failing[host] = (failures, end)
                state.postpone(character, to: end)
                state.scan(by: end)
            }
            return nil
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
