internal import MarvelDomain

/// A favorite with its text in the store: each is made from the other only once, however often it is written.
struct StoredFavorite {
    let favorite: Favorite
    /// In UTF-8.
    let text: [UInt8]

    init(_ favorite: Favorite, text: [UInt8]) { (self.favorite, self.text) = (favorite, text) }

    /// - Throws: `JSONError` if the text is not a favorite.
    init(text: [UInt8]) throws(JSONError) {
        favorite = try FavoriteJSON.favorite(utf8: text)
        self.text = text
    }
}

extension [StoredFavorite] {
    var favorites: [Favorite] { map(\.favorite) }

    var text: [UInt8] {
        var json = JSONWriter()
        json.array { json in for favorite in self { json.json(favorite.text) } }
        return json.bytes
    }
}
