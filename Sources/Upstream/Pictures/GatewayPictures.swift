package import Catalog
package import MarvelDomain
internal import Synchronization
internal import WireMessages

/// Fetches pictures from hosts, and draws emblems for other characters: favorites may come from another catalog.
/// Pictures do not count as API calls.
package final class GatewayPictures: PictureSource {
    private typealias Flight = SharedLookup<FoundPicture, PictureError>.Flight

    private let client: PictureClient
    private let store: (any CachedPictures)?
    private let lookup: SharedLookup<FoundPicture, PictureError>
    private let drawn = DrawnPictures()
    private let makeCaller: @Sendable (_ host: String) -> UpstreamCaller
    /// One caller for each host, so that one failing host does not stop calls to others. The operator names the hosts.
    private let callers = Mutex<[String: UpstreamCaller]>([:])
    private let missing = Mutex(LeastRecentlyUsed<String, (error: PictureError, moment: Moment)>(maximumCost: 10_000))

    /// `hostCounts` counts the calls to all hosts together. `onFailure` gets the text of each failure.
    package init(
        client: PictureClient,
        limits: UpstreamLimits = UpstreamLimits(),
        store: (any CachedPictures)? = nil,
        policy: CachePolicy = CachePolicy(),
        clock: UpstreamClock,
        counts: UpstreamCounts = UpstreamCounts(),
        hostCounts: UpstreamCounts = UpstreamCounts(),
        onFailure: @escaping @Sendable (_ host: String, _ text: String) -> Void = { _, _ in }
    ) {
        var limits = limits
        limits.peer = .pictureHost
        self.client = client
        self.makeCaller = { [limits] host in
            UpstreamCaller(limits: limits, clock: clock, counts: hostCounts) { onFailure(host, $0) }
        }
        self.store = store
        self.lookup = SharedLookup(
            policy: policy,
            clock: clock,
            counts: counts,
            missing: .none,
            cancelled: .upstream(.cancelled),
            freshness: \.freshness
        )
    }

    package func picture(
        of character: MarvelCharacter,
        _ variant: ImageVariant
    ) async throws(PictureError) -> FoundPicture {
        guard let place = character.thumbnail else { throw .none }
        guard !character.isDrawn else { return try await drawn.picture(of: character, variant) }
        let address = try client.address(of: place, variant)
        return try await lookup.value(for: address.url) { [self] flight async throws(PictureError) in
            try await lookUp(address, flight)
        }
    }

    package func shutDown() { lookup.cancelAll() }

    private func lookUp(_ address: PictureAddress, _ flight: Flight) async throws(PictureError) -> FoundPicture {
        if let error = rememberedError(of: address) {
            // The host lost its usable picture: a stale picture is better than an error.
            if error != .none, let kept = await store?.picture(at: address.url) { return found(kept) }
            lookup.countHit()
            throw error
        }
        guard let kept = await store?.picture(at: address.url) else { return try await fetch(address, nil, flight) }
        return try await lookup.confirm({ [self] in found(kept) }, flight) { () async throws(PictureError) in
            try await fetch(address, kept, flight)
        }
    }

    /// "Not found" is fresh for a shorter time, because a missing picture may be added.
    private func rememberedError(of address: PictureAddress) -> PictureError? {
        guard let known = missing.withLock({ $0.use(address.url) }),
            lookup.isFresh(from: known.moment, isNegative: known.error == .none)
        else { return nil }
        return known.error
    }

    private func fetch(
        _ address: PictureAddress,
        _ kept: CachedPicture?,
        _ flight: Flight
    ) async throws(PictureError) -> FoundPicture {
        let tag = kept?.etag
        let answer: Result<TaggedPicture?, PictureError>
        do throws(SourceError) {
            answer = try await caller(of: address.host).call(timeLeft: { [lookup] in lookup.timeLeft(of: flight) }) {
                [client] () async throws(SourceError) in
                do throws(PictureError) {
                    return .success(try await client.picture(at: address, ifNoneMatch: tag))
                } catch {
                    // A host that answers is healthy, even if this one picture is faulty.
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

    private func caller(of host: String) -> UpstreamCaller {
        callers.withLock { callers in
            let caller = callers[host] ?? makeCaller(host)
            callers[host] = caller
            return caller
        }
    }

    private func take(
        _ answer: Result<TaggedPicture?, PictureError>,
        at address: PictureAddress,
        _ kept: CachedPicture?
    ) throws(PictureError) -> FoundPicture {
        let now = lookup.now()
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
            return FoundPicture(kept.picture, freshness: Freshness(source: .gateway))
        }
    }

    private func found(_ kept: CachedPicture) -> FoundPicture {
        FoundPicture(kept.picture, freshness: lookup.freshness(from: kept.fetchedAt))
    }
}

extension SourceError {
    /// The host answered, but not with this picture.
    fileprivate var isAboutOnePicture: Bool {
        switch self {
        case .unavailable(status: 500, _), .invalidReply: true
        default: false
        }
    }
}
