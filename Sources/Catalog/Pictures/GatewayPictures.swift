package import MarvelAPI
package import MarvelDomain
internal import Synchronization
internal import WireMessages

/// Fetches what a gateway's characters have on a server, keeps it, and draws the others: favorites may be from another
/// catalog. Pictures are no calls of the API: they count against no budget.
package final class GatewayPictures: PictureSource {
    private typealias Work = SharedWork<String, FoundPicture, PictureError>

    private let client: PictureClient
    private let callers: PictureHostCallers
    private let store: (any CachedPictures)?
    private let policy: CachePolicy
    private let clock: UpstreamClock
    private let counts: UpstreamCounts
    private let drawn = DrawnPictures()
    private let work: Work
    /// Where there were none, why, and when.
    private let missing = Mutex(LeastRecentlyUsed<String, (error: PictureError, moment: Moment)>(maximumCost: 10_000))

    /// - Parameters:
    ///   - client: Whom to ask.
    ///   - callers: Decide when that may be, for each host by itself.
    ///   - store: Where pictures are kept; nil: nowhere.
    ///   - policy: How long they are good.
    ///   - clock: The time.
    ///   - counts: What is reported.
    package init(
        client: PictureClient,
        callers: PictureHostCallers,
        store: (any CachedPictures)? = nil,
        policy: CachePolicy = CachePolicy(),
        clock: UpstreamClock,
        counts: UpstreamCounts = UpstreamCounts()
    ) {
        self.client = client
        self.callers = callers
        self.store = store
        self.policy = policy
        self.clock = clock
        self.counts = counts
        self.work = Work(cancelled: .upstream(.cancelled), counts: counts)
    }

    package func picture(
        of character: MarvelCharacter,
        _ variant: ImageVariant
    ) async throws(PictureError) -> FoundPicture {
        guard let place = character.thumbnail else { throw .none }
        guard !character.isDrawn else { return try await drawn.picture(of: character, variant) }
        let address = try client.address(of: place, variant)
        let found = try await work.value(for: address.url, deadline: clock.callerDeadline) {
            [self] flight async throws(PictureError) in try await lookUp(address, flight)
        }
        if let freshness = found.freshness, freshness.source == .cache {
            counts.count(freshness.isStale ? .stale : .hit)
        }
        return found
    }

    /// Ends what is under way.
    package func shutDown() { work.cancelAll() }

    private func lookUp(_ address: PictureAddress, _ flight: Work.Flight) async throws(PictureError) -> FoundPicture {
        if let error = rememberedError(of: address) {
            // What its host has now is of no use: then what it had before is better than nothing.
            if error != .none, let kept = await store?.picture(at: address.url) { return found(kept) }
            counts.count(.hit)
            throw error
        }
        guard let kept = await store?.picture(at: address.url) else { return try await fetch(address, nil, flight) }
        guard !policy.isFresh(from: kept.fetchedAt, at: clock.now()) else { return found(kept) }
        async let _: Void = answerEarly(kept, flight)
        do throws(PictureError) {
            return try await fetch(address, kept, flight)
        } catch {
            guard error != .none, error != .upstream(.cancelled) else { throw error }
            return found(kept)
        }
    }

    /// The fault of the picture there, as was found out not long ago. What is missing may be added any time; what is
    /// no picture is looked at again when a picture would be.
    private func rememberedError(of address: PictureAddress) -> PictureError? {
        guard let known = missing.withLock({ $0.use(address.url) }),
            policy.isFresh(from: known.moment, isNegative: known.error == .none, at: clock.now())
        else { return nil }
        return known.error
    }

    private func answerEarly(_ kept: CachedPicture, _ flight: Work.Flight) async {
        do {
            try await clock.sleep(policy.patience)
            flight.answerEarly(found(kept))
        } catch {
            // The server was quicker, or nobody waits.
        }
    }

    private func fetch(
        _ address: PictureAddress,
        _ kept: CachedPicture?,
        _ flight: Work.Flight
    ) async throws(PictureError) -> FoundPicture {
        let tag = kept?.tagged.etag
        let answer: Result<TaggedPicture?, PictureError>
        do throws(MarvelAPIError) {
            answer = try await callers.caller(for: address).call(deadline: flight.deadline) {
                [client] () async throws(MarvelAPIError) in
                do throws(PictureError) {
                    return .success(try await client.picture(at: address, ifNoneMatch: tag))
                } catch {
                    // A host that answers is well, whatever is wrong with this one picture.
                    guard case .upstream(let failure) = error, !failure.isAboutOnePicture else {
                        return .failure(error)
                    }
                    throw failure
                }
            }
        } catch {
            throw .upstream(error)
        }
        return try take(answer, at: address, kept)
    }

    private func take(
        _ answer: Result<TaggedPicture?, PictureError>,
        at address: PictureAddress,
        _ kept: CachedPicture?
    ) throws(PictureError) -> FoundPicture {
        let now = clock.now()
        switch answer {
        case .failure(let error):
            if !error.isTransient { missing.withLock { _ = $0.keep((error, now), for: address.url) } }
            if error == .none { store?.forgetPicture(at: address.url) }
            throw error
        case .success(let picture?):
            store?.keep(CachedPicture(picture, fetchedAt: now), at: address.url)
            return FoundPicture(picture.picture, freshness: Freshness(source: .gateway))
        case .success(nil):
            guard let kept else { throw .upstream(.unavailable(status: 304, retryAfter: nil)) }
            store?.confirmPicture(at: address.url, now)
            return FoundPicture(kept.tagged.picture, freshness: Freshness(source: .gateway))
        }
    }

    private func found(_ kept: CachedPicture) -> FoundPicture {
        let now = clock.now()
        let age = max(now - kept.fetchedAt, .zero)
        let isStale = !policy.isFresh(from: kept.fetchedAt, at: now)
        return FoundPicture(
            kept.tagged.picture,
            freshness: Freshness(source: .cache, age: age, isStale: isStale)
        )
    }
}

extension MarvelAPIError {
    /// Whether the host may well have all others: it answered, and failed on this one.
    fileprivate var isAboutOnePicture: Bool {
        switch self {
        case .unavailable(status: 500, _), .invalidReply: true
        default: false
        }
    }
}
