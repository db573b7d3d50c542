internal import Catalog
internal import HTTPFraming
internal import MarvelDomain
internal import Synchronization
package import Upstream

/// Uses no socket, and waits for nothing but a read of the catalog file.
package final class Gateway: Sendable {
    private let catalog: ServedCharacters
    private let documents: (any DocumentSource)?
    private let keys: KeyRing
    private let settings: GatewaySettings
    private let clock: GatewayClock
    private let faults: FaultPlan
    private let emblems = EmblemCache()
    private let quota: Mutex<RollingQuota?>
    private let requestCount = Mutex<UInt64>(0)

    package init(
        catalog: ServedCharacters,
        documents: (any DocumentSource)? = nil,
        keys: KeyRing,
        settings: GatewaySettings,
        clock: GatewayClock
    ) {
        self.catalog = catalog
        self.documents = documents
        self.keys = keys
        self.settings = settings
        self.clock = clock
        self.faults = FaultPlan(settings.faultInjection)
        self.quota = Mutex(settings.quota.map(RollingQuota.init))
    }

    /// Such an answer waits for the disk, and for other requests.
    func readsDocuments(_ route: Route?) -> Bool {
        switch route {
        case nil, .emblem: false
        case .list, .item, .related: documents != nil
        }
    }

    func answer(_ request: GatewayRequest) -> (reply: Reply, delay: Duration) {
        let target = RequestTarget(request.target)
        let callback = target.callback
        guard let route = Route(path: target.path) else {
            return (.error(.unknownRoute(target: request.target), callback: callback), .zero)
        }
        guard let method = HTTPMethods(request.method), Reply.methods.contains(method) else {
            return (.error(.methodNotAllowed(request.method), callback: callback), .zero)
        }
        guard method != .options else { return (.preflight(request.requestedHeaders), .zero) }
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
            case .emblem(let id, let variant): return try emblem(id, variant, request)
            case .list(let kind): return try list(of: kind, nil, target.parameters, request, callback)
            case .item(let kind, let id): return try item(kind, id, target.parameters, request, callback)
            case .related(let kind, let other, let id):
                return try list(of: kind, (other, id), target.parameters, request, callback)
            }
        } catch {
            return .error(error, callback: callback)
        }
    }
}

// MARK: - The routes

extension Gateway {
    /// Lists all that match, or those that are related to the item `owner`.
    private func list(
        of kind: ResourceKind,
        _ owner: (kind: ResourceKind, id: String)?,
        _ parameters: QueryParameters,
        _ request: GatewayRequest,
        _ callback: Callback?
    ) throws(GatewayError) -> Reply {
        let links = links(for: request, try authenticate(parameters, request))
        func parent() throws(GatewayError) -> ResourceID? {
            try owner.map { owner throws(GatewayError) in try known(owner.kind, owner.id) }
        }
        if kind == .characters {
            var query = try refusing { () throws(ParameterError) in try CharacterQuery(parameters) }
            query.parent = try parent()
            return reply(to: request, try page(query, links), query.offset, query.limit, callback)
        }
        var query = try refusing { () throws(ParameterError) in try DocumentQuery(kind, parameters) }
        if let parent = try parent() { query.filters.append(.linked(to: parent.kind, [parent.number])) }
        return reply(to: request, try page(query, links), query.offset, query.limit, callback)
    }

    private func refusing<Query>(_ parse: () throws(ParameterError) -> Query) throws(GatewayError) -> Query {
        do throws(ParameterError) { return try parse() } catch { throw .parameter(error) }
    }

    private func item(
        _ kind: ResourceKind,
        _ text: String,
        _ parameters: QueryParameters,
        _ request: GatewayRequest,
        _ callback: Callback?
    ) throws(GatewayError) -> Reply {
        let links = links(for: request, try authenticate(parameters, request))
        guard let id = ResourceIDParser.parse(text) else { throw .unknown(kind) }
        let page: ReplyPage
        if kind == .characters {
            let found = catalog.character(id: id).map { [$0] } ?? []
            page = try self.page(ResultPage(total: found.count, characters: found), links)
        } else {
            page = try self.page(DocumentQuery(kind: kind, filters: [.id(id)]), links)
        }
        guard page.total > 0 else { throw .unknown(kind) }
        return reply(to: request, page, 0, QueryParameters.defaultLimit, callback)
    }

    /// Throws `.unknown` if no such item is in the catalog, and nothing names it.
    private func known(_ kind: ResourceKind, _ text: String) throws(GatewayError) -> ResourceID {
        guard let id = ResourceIDParser.parse(text).map({ ResourceID(kind, $0) }) else { throw .unknown(kind) }
        if kind == .characters, catalog.character(id: id.number) != nil { return id }
        guard try read(or: false, { try $0.contains(id) }) else { throw .unknown(kind) }
        return id
    }

    /// Needs no key: the original's pictures were on a host of their own, without one.
    private func emblem(_ id: Int64, _ variant: ImageVariant, _ request: GatewayRequest) throws(GatewayError) -> Reply {
        guard let character = catalog.character(id: id) else { throw .unknownRoute(target: request.target) }
        return .picture(emblems.png(character, variant))
    }

    /// Returns the caller's public key.
    private func authenticate(_ parameters: QueryParameters, _ request: GatewayRequest) throws(GatewayError) -> String {
        let key = try keys.check(Credentials(parameters, referer: request.referer))
        guard quota.withLock({ $0?.allowsCall(key: key, at: clock.uptime()) ?? true }) else { throw .throttled }
        return key
    }
}

// MARK: - Results

extension Gateway {
    private func page(_ query: CharacterQuery, _ links: ReplyLinks) throws(GatewayError) -> ReplyPage {
        var ids = try query.parent.map { parent throws(GatewayError) in
            try read(or: []) { try $0.characters(linkedTo: parent.kind, [parent.number]) }
        }
        for (kind, numbers) in query.relations {
            let found = try read(or: []) { try $0.characters(linkedTo: kind, numbers) }
            ids = ids?.intersection(found) ?? found
        }
        return try page(catalog.page(query, among: ids), links)
    }

    private func page(_ page: ResultPage, _ links: ReplyLinks) throws(GatewayError) -> ReplyPage {
        var results: [[UInt8]] = []
        for character in page.characters {
            var lists: [ResourceKind: ResourceList] = [:]
            for kind in ResourceKind.characters.lists {
                lists[kind] = try read(or: nil) { try $0.list(of: kind, character: character.id) }
            }
            results.append(character.json(links, lists: lists))
        }
        return ReplyPage(total: page.total, results: results)
    }

    private func page(_ query: DocumentQuery, _ links: ReplyLinks) throws(GatewayError) -> ReplyPage {
        let page = try read(or: DocumentPage(total: 0, documents: [])) { try $0.page(query) }
        return ReplyPage(total: page.total, results: page.documents.map { Array(links.document($0).utf8) })
    }

    private func read<Value>(
        or none: Value,
        _ read: (any DocumentSource) throws -> Value
    ) throws(GatewayError) -> Value {
        guard let documents else { return none }
        do {
            return try read(documents)
        } catch {
            throw .failed(reason: "\(error)")
        }
    }
}

// MARK: - Successful replies

extension Gateway {
    private func links(for request: GatewayRequest, _ publicKey: String) -> ReplyLinks {
        let origin = settings.ownOrigin ?? "http://\(request.host)"
        let apiOrigin = settings.rewritesLinks ? origin : ReplyLinks.originalOrigin
        return ReplyLinks(apiOrigin: apiOrigin, ownOrigin: origin, publicKey: publicKey)
    }

    private func reply(
        to request: GatewayRequest,
        _ page: ReplyPage,
        _ offset: Int,
        _ limit: Int,
        _ callback: Callback?
    ) -> Reply {
        let attribution = documents.map(\.attribution).flatMap { $0.isEmpty ? nil : $0 }
        let year = MarvelDate.year(clock.now())
        let body = ReplyBody(page, offset: offset, limit: limit, year: year, attribution: attribution)
        let status = PlainAnswer.status(ofTagged: body.etag, ifNoneMatch: request.ifNoneMatch)
        var reply = status == 200 ? Reply.json(body.bytes, callback: callback) : Reply(status: status)
        reply["ETag"] = body.etag
        reply["Vary"] = "Accept-Encoding"
        return reply
    }
}
