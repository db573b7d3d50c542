internal import CMarvelMessages
internal import MarvelDomain
internal import NIOCore

extension ListFavoritesRequest: ProtobufMessage {
    package static let fullName = "marvel.v1.ListFavoritesRequest"

    static var initialize: CInitializer<Marvel__V1__ListFavoritesRequest> { marvel__v1__list_favorites_request__init }

    init(copying message: Marvel__V1__ListFavoritesRequest) throws(WireError) {
        self.init(list: try message.list.text("list"), atLeast: try message.at_least.text("at_least"))
    }

    func fill(_ message: inout Marvel__V1__ListFavoritesRequest, in arena: inout EncodingArena) {
        message.list = arena.text(list)
        message.at_least = arena.text(atLeast)
    }
}

extension ListFavoritesResponse: ProtobufMessage {
    package static let fullName = "marvel.v1.ListFavoritesResponse"

    static var initialize: CInitializer<Marvel__V1__ListFavoritesResponse> { marvel__v1__list_favorites_response__init }

    init(copying message: Marvel__V1__ListFavoritesResponse) throws(WireError) {
        self.init(
            favorites: try [Favorite](copying: message.favorites, count: message.n_favorites, field: "favorites"),
            revision: message.revision,
            capacity: message.capacity,
            attribution: try message.attribution.text("attribution"),
            place: try message.place.text("place")
        )
    }

    func fill(_ message: inout Marvel__V1__ListFavoritesResponse, in arena: inout EncodingArena) {
        message.n_favorites = favorites.count
        message.favorites = arena.messages(favorites)
        message.revision = revision
        message.capacity = capacity
        message.attribution = arena.text(attribution)
        message.place = arena.text(place)
    }
}
