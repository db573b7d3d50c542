package import Catalog
package import MarvelDomain
package import RPCCore

/// What a server serves: `marvel.v1.MarvelService` over a catalog and a store of favorites, and `grpc.health.v1.Health`.
///
/// Each method is a function in a file of its own. A class, so that the calls which outlive their turn share it.
package final class CharacterService: Sendable {
    package static let name = "marvel.v1.MarvelService"

    let catalog: any CharacterCatalog
    let store: any FavoritesStore
    let feed: FavoritesFeed
    let watches: WatchGate
    let pictures: any PictureSource
    let keeper: PictureKeeper?
    let curation: Curation?
    let allowsEdits: Bool
    let health: ServiceHealth
    let progressInterval: Duration

    /// - Parameters:
    ///   - catalog: What is searched.
    ///   - store: Where favorites are kept; its changes are observed from now on.
    ///   - pictures: Where the pictures of the catalog's characters come from.
    ///   - keeper: What keeps pictures of favorites, if any are kept; it is told of changes.
    ///   - curation: What edits characters; nil if those of the catalog cannot be edited.
    ///   - allowsEdits: Whether callers may.
    ///   - health: What health checks say.
    ///   - watchLimits: The numbers of watches that may be open at once.
    ///   - progressInterval: How long nothing happens on a list before its watchers are told that nothing did.
    package init(
        catalog: any CharacterCatalog,
        store: any FavoritesStore,
        pictures: any PictureSource = DrawnPictures(),
        keeper: PictureKeeper? = nil,
        curation: Curation? = nil,
        allowsEdits: Bool = false,
        health: ServiceHealth = ServiceHealth(),
        watchLimits: WatchLimits = WatchLimits(),
        progressInterval: Duration = .seconds(30)
    ) {
        self.catalog = catalog
        self.store = store
        self.feed = FavoritesFeed(store, attribution: { catalog.attribution }, onChange: { keeper?.changed($0) })
        self.watches = WatchGate(watchLimits)
        self.pictures = pictures
        self.keeper = keeper
        self.curation = curation
        self.allowsEdits = allowsEdits
        self.health = health
        self.progressInterval = progressInterval
    }

    /// The number of open watches.
    package var watchCount: Int { watches.count }

    package var services: [Service] {
        [
            Service(
                name: CharacterService.name,
                methods: [
                    Method(name: "SearchCharacters", kind: .serverStreaming, start: searchCharacters),
                    Method(name: "GetCharacter", kind: .unary, start: getCharacter),
                    Method(name: "SuggestNames", kind: .unary, start: suggestNames),
                    Method(name: "GetThumbnail", kind: .unary, start: getThumbnail),
                    Method(name: "ToggleFavorite", kind: .unary, start: toggleFavorite),
                    Method(name: "ListFavorites", kind: .unary, start: listFavorites),
                    Method(name: "WatchFavorites", kind: .serverStreaming, isWatch: true, start: watchFavorites),
                    .edit("CreateCharacter", start: createCharacter),
                    .edit("UpdateCharacter", start: updateCharacter),
                ]
            ),
            Service(
                name: ServiceHealth.serviceName,
                methods: [
                    Method(name: "Check", kind: .unary, start: checkHealth),
                    .notBuilt("List", kind: .unary),
                    .notBuilt("Watch", kind: .serverStreaming),
                ]
            ),
        ]
    }
}

extension Method {
    /// A method whose request may hold a picture of the largest size, and a character beside it.
    fileprivate static func edit(
        _ name: String,
        start: @escaping @Sendable (IncomingCall) throws(RPCError) -> Step
    ) -> Method {
        let maximum = EditRules.maximumPictureBytes + Method.defaultMaximumRequestBytes
        return Method(name: name, kind: .unary, maximumRequestBytes: maximum, start: start)
    }

    /// A method of the `.proto` that this build does not serve: it says so, whatever the request.
    fileprivate static func notBuilt(_ name: String, kind: Kind) -> Method {
        Method(name: name, kind: kind) { _ throws(RPCError) in throw .methodNotBuilt(name) }
    }
}
