package import Catalog
package import MarvelDomain
package import RPCCore
internal import WireMessages

/// `marvel.v1.MarvelService` over a catalog and a store of favorites, and `grpc.health.v1.Health`. Each method has a
/// file of its own. It is a class, so that calls that continue later share it.
package final class CharacterService: Sendable {
    package static let name = MarvelServiceMethods.serviceName

    let catalog: any CharacterCatalog
    let store: any FavoritesStore
    let lists: CurrentLists
    let watches: WatchGate
    let pictures: any PictureSource
    let keeper: PictureKeeper?
    let curation: Curation?
    let allowsEdits: Bool
    let health: ServiceHealth
    let storeHealth: ServiceHealth
    private let offersReflection: Bool
    /// The empty name is the server as a whole.
    let healthNames: [String]
    let serverVersion: String
    let progressInterval: Duration
    let runtime: ProcessRuntime

    /// `store`'s feed is followed from now on. `curation` is nil if the catalog is not editable. After
    /// `progressInterval` without a change of a list, its watchers get a progress event.
    package init(
        catalog: any CharacterCatalog,
        store: any FavoritesStore,
        pictures: any PictureSource = DrawnPictures(),
        keeper: PictureKeeper? = nil,
        curation: Curation? = nil,
        allowsEdits: Bool = false,
        health: ServiceHealth = ServiceHealth(),
        storeHealth: ServiceHealth = ServiceHealth(),
        offersReflection: Bool = true,
        serverVersion: String = "",
        watchLimits: WatchLimits = WatchLimits(),
        progressInterval: Duration = .seconds(30),
        runtime: ProcessRuntime = .system
    ) {
        self.catalog = catalog
        self.store = store
        self.lists = CurrentLists(
            store,
            attribution: { catalog.attribution },
            onChange: keeper.map { keeper in { @Sendable change in keeper.changed(change) } },
            runtime: runtime
        )
        self.watches = WatchGate(watchLimits)
        self.pictures = pictures
        self.keeper = keeper
        self.curation = curation
        self.allowsEdits = allowsEdits
        self.health = health
        self.storeHealth = storeHealth
        self.offersReflection = offersReflection
        healthNames =
            ["", CharacterService.name, ServiceHealth.serviceName, ServiceHealth.storeName]
            + (offersReflection ? [ServerReflection.serviceName] : [])
        self.serverVersion = serverVersion
        self.progressInterval = progressInterval
        self.runtime = runtime
    }

    /// Loads all lists. Call it before serving: without it the first search of each list waits for the store.
    package func load() async throws(StoreError) { try await lists.load() }

    package var watchCount: Int { watches.count }

    package var services: [RPCService] {
        let own = [RPCService(name: CharacterService.name, methods: methods), healthService]
        return offersReflection ? own + ServerReflection.services(listing: own.map(\.name)) : own
    }

    /// Each method itself checks the access to a list.
    private var methods: [RPCMethod] {
        [
            RPCMethod(MarvelServiceMethods.searchCharacters, .catalogRead, start: searchCharacters),
            RPCMethod(MarvelServiceMethods.getCharacter, .catalogRead, start: getCharacter),
            RPCMethod(MarvelServiceMethods.getCatalogInfo, .catalogRead, start: getCatalogInfo),
            RPCMethod(MarvelServiceMethods.suggestNames, .catalogRead, cacheSeconds: 60, start: suggestNames),
            RPCMethod(MarvelServiceMethods.getThumbnail, .catalogRead, start: getThumbnail),
            RPCMethod(MarvelServiceMethods.toggleFavorite, [], start: toggleFavorite),
            RPCMethod(MarvelServiceMethods.listFavorites, [], start: listFavorites),
            RPCMethod(MarvelServiceMethods.deleteList, [], start: deleteList),
            RPCMethod(MarvelServiceMethods.listLists, .admin, start: listLists),
            RPCMethod(MarvelServiceMethods.watchFavorites, [], isWatch: true, start: watchFavorites),
            .edit(MarvelServiceMethods.createCharacter, start: createCharacter),
            .edit(MarvelServiceMethods.updateCharacter, start: updateCharacter),
        ]
    }

    private var healthService: RPCService {
        RPCService(
            name: ServiceHealth.serviceName,
            methods: [
                RPCMethod(HealthMethods.check, [], start: checkHealth),
                RPCMethod(HealthMethods.watch, [], isWatch: true, start: watchHealth),
                RPCMethod(HealthMethods.list, [], start: listHealth),
            ]
        )
    }
}

extension RPCMethod {
    /// `cacheSeconds` is nil if answers depend on the caller or on a list. A payload above `maximumRequestBytes` is
    /// refused before it is decoded.
    fileprivate convenience init<Request: WireMessage, Response: WireMessage>(
        _ descriptor: MethodDescriptor<Request, Response>,
        _ permissions: Permissions,
        isWatch: Bool = false,
        cacheSeconds: Int? = nil,
        maximumRequestBytes: Int = RPCMethod.defaultMaximumRequestBytes,
        start: @escaping @Sendable (IncomingCall) throws(RPCError) -> Step
    ) {
        self.init(
            name: descriptor.path.method,
            kind: descriptor.kind,
            isWatch: isWatch,
            hasNoSideEffects: descriptor.hasNoSideEffects,
            cacheSeconds: cacheSeconds,
            permissions: permissions,
            maximumRequestBytes: maximumRequestBytes,
            json: JSONCodec(request: Request.fullName, response: Response.fullName),
            start: start
        )
    }

    fileprivate static func edit(
        _ descriptor: MethodDescriptor<some WireMessage, some WireMessage>,
        start: @escaping @Sendable (IncomingCall) throws(RPCError) -> Step
    ) -> RPCMethod {
        let maximum = EditRules.maximumPictureBytes + RPCMethod.defaultMaximumRequestBytes
        return RPCMethod(descriptor, .catalogEdit, maximumRequestBytes: maximum, start: start)
    }
}
