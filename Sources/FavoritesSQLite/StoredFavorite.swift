internal import MarvelDomain

/// A favorite beside its text in the store, so that each is made from the other once, however often it is written.
struct StoredFavorite: HeldFavorite {
    let favorite: Favorite
    let text: String

    /// - Throws: If it cannot be encoded.
    init(_ favorite: Favorite) throws {
        self.favorite = favorite
        text = try FavoriteSnapshot.text(favorite)
    }

    /// - Throws: If the text is no snapshot.
    init(text: String) throws {
        favorite = try FavoriteSnapshot.favorite(text)
        self.text = text
    }
}

extension [StoredFavorite] {
    var favorites: [Favorite] { map(\.favorite) }

    /// The JSON array of the texts.
    var text: String { "[" + map(\.text).joined(separator: ",") + "]" }
}
