internal import MarvelDomain

/// A favorite with its text in the store, so that each is made from the other only once, however often it is written.
struct StoredFavorite: HeldFavorite {
    let favorite: Favorite
    let text: String

    /// - Throws: An error if it cannot be encoded.
    init(_ favorite: Favorite) throws {
        self.favorite = favorite
        text = try FavoriteSnapshot.text(favorite)
    }

    /// - Throws: An error if the text is not a snapshot.
    init(text: String) throws {
        favorite = try FavoriteSnapshot.favorite(text)
        self.text = text
    }
}

extension [StoredFavorite] {
    var favorites: [Favorite] { map(\.favorite) }

    /// The texts as a JSON array.
    var text: String { "[" + map(\.text).joined(separator: ",") + "]" }
}
