internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The answer of `ListFavorites` at one revision, encoded once for all callers.
final class EncodedFavorites: OutgoingMessage {
    let revision: Int64
    let history: HistoryID
    /// Oldest first.
    let ids: [Int64]
    let attribution: String
    private let bytes: ByteBuffer

    init(_ list: FavoritesList, of name: ListName, in history: HistoryID, attribution: String) {
        revision = list.revision
        self.history = history
        ids = list.favorites.map(\.character.id)
        self.attribution = attribution
        let response = ListFavoritesResponse(
            favorites: list.favorites,
            revision: list.revision,
            capacity: Int32(clamping: list.capacity),
            attribution: attribution,
            place: FavoritesPlace(list: name, history: history, revision: list.revision).text
        )
        bytes = response.encoded()
    }

    var byteCount: Int { bytes.readableBytes }

    func write(to writer: inout MessageWriter) { writer.write(bytes) }

    /// Nil if the encoding cannot be read back.
    var list: FavoritesList? {
        guard let response = try? ListFavoritesResponse(decoding: bytes, limit: .response) else { return nil }
        return FavoritesList(
            favorites: response.favorites,
            revision: response.revision,
            capacity: Int(response.capacity)
        )
    }
}

/// The list's own bytes are the same for all callers.
final class AgedFavorites: OutgoingMessage {
    private let favorites: EncodedFavorites
    /// A `ListFavoritesResponse` with only `age`. Concatenated messages are one message.
    private let age: ByteBuffer

    init(_ favorites: EncodedFavorites, age: Duration) {
        self.favorites = favorites
        self.age = ListFavoritesResponse(age: age).encoded()
    }

    var byteCount: Int { favorites.byteCount + age.readableBytes }

    func write(to writer: inout MessageWriter) {
        favorites.write(to: &writer)
        writer.write(age)
    }
}
