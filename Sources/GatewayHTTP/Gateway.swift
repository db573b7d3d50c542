internal import Compression
internal import Emblems
internal import MarvelAPI
internal import MarvelDomain
internal import Synchronization

/// The Marvel API's contract as a function from request to reply. It uses no socket, and never waits.
package final class Gateway: Sendable {
    private let catalog: ServedCharacters
    private let keys: KeyRing
    private let settings: GatewaySettings
    private let clock: GatewayClock
    private let faults: FaultPlan
    private let emblems = EmblemCache()
    private let quota: Mutex<RollingQuota?>
    private let requestCount = Mutex<UInt64>(0)

    package init(catalog: ServedCharacters, keys: KeyRing, settings: GatewaySettings, clock: GatewayClock) {
        self.catalog = catalog
        self.keys = keys
        self.settings = settings
        self.clock = clock
        self.faults = FaultPlan(settings.faultInjection)
        self.quota = Mutex(settings.quota.map(RollingQuota.init))
    }

    /// Returns the reply to a request, and the delay before it is sent.
    func answer(_ request: GatewayRequest) -> (reply: Reply, delay: Duration) {
        let target = RequestTarget(request.target)
        let callback = target.parameters["callback"].flatMap(Callback.init)
        guard let route = Route(path: target.path) else {
            return (.error(.unknownRoute(target: request.target), callback: callback), .zero)
        }
        switch request.method {
        case "GET": break
        case "OPTIONS": return (.preflight(request.requestedHeaders), .zero)
        default: return (.error(.methodNotAllowed(request.method), callback: callback), .zero)
        }
        let fault = faults.fault(forRequest: nextRequestNumber())
        let reply = fault.kind.replacement ?? fault.kind.applied(to: serve(route, target, request, callback))
        return (Gzip.isAccepted(by: request.acceptEncoding) ? reply.compressed : reply, fault.delay)
    }

    private func nextRequestNumber() -> UInt64 {
        requestCount.withLock { count in
            defer { count += 1 }
            return count
        }
    }

    private func serve(
        _ route: Route,
        _ target: RequestTarget,
        _ request: GatewayRequest,
        _ callback: Callback?
    ) -> Reply {
        do throws(GatewayError) {
            switch route {
            case .characters: return try characters(target.parameters, request, callback)
            case .character(let id): return try character(id, target.parameters, request, callback)
            case .emblem(let id, let variant): return try emblem(id, variant, request)
            }
        } catch {
            var reply = Reply.error(error, callback: callback)
            if case .throttled(let delay) = error, settings.sendsRetryAfter {
                reply["Retry-After"] = String(delay.wholeSecondsRoundedUp)
            }
            return reply
        }
    }
}

// MARK: - The routes

extension Gateway {
    private func characters(
        _ parameters: QueryParameters,
        _ request: GatewayRequest,
        _ callback: Callback?
    ) throws(GatewayError) -> Reply {
        let key = try authenticate(parameters, request)
        let query: CharacterQuery
        do throws(ParameterError) { query = try CharacterQuery(parameters) } catch { throw .parameter(error) }
        let page = catalog.page(query)
        return reply(to: request, key, callback) { year, links in
            ReplyBody(page, offset: query.offset, limit: query.limit, year: year, links: links)
        }
    }

    private func character(
        _ text: String,
        _ parameters: QueryParameters,
        _ request: GatewayRequest,
        _ callback: Callback?
    ) throws(GatewayError) -> Reply {
        let key = try authenticate(parameters, request)
        let id = settings.readsIDsLeniently ? CharacterIDParser.parseLeniently(text) : CharacterIDParser.parse(text)
        guard let id, let character = catalog.character(id: id) else { throw .unknownCharacter }
        let page = ResultPage(total: 1, characters: [character])
        return reply(to: request, key, callback) { year, links in
            ReplyBody(page, offset: 0, limit: CharacterQuery.defaultLimit, year: year, links: links)
        }
    }

    /// Returns a picture, without a key: the original's pictures were on a host of their own, which needed no key.
    private func emblem(_ id: Int64, _ variant: ImageVariant, _ request: GatewayRequest) throws(GatewayError) -> Reply {
        guard let character = catalog.character(id: id) else { throw .unknownRoute(target: request.target) }
        return .picture(emblems.png(character, variant))
    }

    /// Checks the credentials and the quota.
    ///
    /// - Returns: The caller's public key.
    private func authenticate(_ parameters: QueryParameters, _ request: GatewayRequest) throws(GatewayError) -> String {
        let key = try keys.check(Credentials(parameters, referer: request.referer))
        let decision = quota.withLock { $0?.callReceived(key: key, at: clock.uptime()) }
        if case .refused(let retryAfter) = decision { throw .throttled(retryAfter: retryAfter) }
        return key
    }
}

// MARK: - Successful replies

extension Gateway {
    /// Returns 200 with the body, or 304 if the client has a valid copy.
    private func reply(
        to request: GatewayRequest,
        _ publicKey: String,
        _ callback: Callback?,
        _ body: (_ year: Int64, _ links: ReplyLinks) -> ReplyBody
    ) -> Reply {
        let origin = settings.ownOrigin ?? "http://\(request.host)"
        let apiOrigin = settings.rewritesLinks ? origin : ReplyLinks.originalOrigin
        let links = ReplyLinks(apiOrigin: apiOrigin, ownOrigin: origin, publicKey: publicKey)
        let body = body(MarvelDate.year(clock.now()), links)
        var reply: Reply
        if let tags = request.ifNoneMatch, EntityTag.isNamed(body.etag, by: tags) {
            reply = Reply(status: 304)
        } else {
            reply = .json(body.bytes, callback: callback)
        }
        reply["ETag"] = settings.quotesEntityTags ? "\"\(body.etag)\"" : body.etag
        reply["Vary"] = "Accept-Encoding"
        return reply
    }
}

extension Duration {
    fileprivate var wholeSecondsRoundedUp: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
