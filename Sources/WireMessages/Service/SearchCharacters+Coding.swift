internal import CMarvelMessages
internal import MarvelDomain
internal import NIOCore

extension SearchCharactersRequest: ProtobufMessage {
    package static let fullName = "marvel.v1.SearchCharactersRequest"

    static var initialize: CInitializer<Marvel__V1__SearchCharactersRequest> {
        marvel__v1__search_characters_request__init
    }

    init(copying message: Marvel__V1__SearchCharactersRequest) throws(WireError) {
        self.init(
            query: try message.query.text("query"),
            match: MatchValue(message.match),
            pageSize: message.page_size,
            pageToken: try message.page_token.text("page_token"),
            skip: message.skip,
            maxPages: message.max_pages,
            list: try message.list.text("list"),
            favoritesAtLeast: try message.favorites_at_least.text("favorites_at_least")
        )
    }

    func fill(_ message: inout Marvel__V1__SearchCharactersRequest, in arena: inout EncodingArena) {
        message.query = arena.text(query)
        message.match = match.wireForm
        message.page_size = pageSize
        message.page_token = arena.text(pageToken)
        message.skip = skip
        message.max_pages = maxPages
        message.list = arena.text(list)
        message.favorites_at_least = arena.text(favoritesAtLeast)
    }
}

extension SearchCharactersResponse: ProtobufMessage {
    package static let fullName = "marvel.v1.SearchCharactersResponse"

    static var initialize: CInitializer<Marvel__V1__SearchCharactersResponse> {
        marvel__v1__search_characters_response__init
    }

    init(copying message: Marvel__V1__SearchCharactersResponse) throws(WireError) {
        self.init(
            characters: try [MarvelCharacter](
                copying: message.characters,
                count: message.n_characters,
                field: "characters"
            ),
            total: message.total,
            nextPageToken: try message.next_page_token.text("next_page_token"),
            favoriteIDs: [Int64](UnsafeBufferPointer(start: message.favorite_ids, count: message.n_favorite_ids)),
            attribution: try message.attribution.text("attribution"),
            freshness: try Freshness(orDefault: message.freshness)
        )
    }

    func fill(_ message: inout Marvel__V1__SearchCharactersResponse, in arena: inout EncodingArena) {
        message.n_characters = characters.count
        message.characters = arena.messages(characters)
        message.total = total
        message.next_page_token = arena.text(nextPageToken)
        message.n_favorite_ids = favoriteIDs.count
        message.favorite_ids = arena.numbers(favoriteIDs)
        message.attribution = arena.text(attribution)
        message.freshness = arena.message(freshness)
    }
}
