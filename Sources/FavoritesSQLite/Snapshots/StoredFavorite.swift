internal import MarvelDomain

/// A favorite with its text in the store, so that each is made from the other only once, however often it is written.
struct StoredFavorite {
    let favorite: Favorite
    let text: String

    init(_ favorite: Favorite) {
        self.favorite = favorite
        text = FavoriteJSON.text(favorite)
    }

    /// - Throws: `JSONError` if the text is not a favorite.
    init(text: String) throws(JSONError) {
        favorite = try FavoriteJSON.favorite(text)
        self.text = text
    }
}

extension [StoredFavorite] {
    var favorites: [Favorite] { map(\.favorite) }

    /// The texts as a JSON array.
    var text: String { "[" + map(\.text).joined(separator: ",") + "]" }
}
