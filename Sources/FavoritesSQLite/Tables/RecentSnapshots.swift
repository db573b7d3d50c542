internal import Glibc
internal import MarvelDomain

/// The favorites that the writer has read or made recently, each with its text.
///
/// A list that changes often loses what it got a few changes before, and many lists get the same characters. Reading
/// and writing their JSON took a twelfth of a toggle's time, and comparing it takes almost nothing.
final class RecentSnapshots {
    private struct Place: Hashable {
        let list: ListName
        let id: Int64
    }

    /// They take some 2 MB.
    private static let maximumCount = 1_024

    private var favorites: [Place: StoredFavorite] = [:]
    private var characters = SavedCharacterTexts()

    /// The favorite of a row. If its text is not known, the row is verified and read.
    ///
    /// - Throws: `JSONError` if the text is not a favorite, or the error of `verify`.
    func favorite(
        _ id: Int64,
        on list: ListName,
        text: UnsafeRawBufferPointer,
        verify: () throws -> Void = {}
    ) throws -> StoredFavorite {
        let place = Place(list: list, id: id)
        if let known = favorites[place], known.hasText(text) { return known }
        try verify()
        let stored = try StoredFavorite(text: Array(text))
        keep(stored, at: place)
        return stored
    }

    func stored(_ favorite: Favorite, on list: ListName) -> StoredFavorite {
        let stored = StoredFavorite(favorite, text: characters.utf8(favorite))
        keep(stored, at: Place(list: list, id: favorite.character.id))
        return stored
    }

    private func keep(_ stored: StoredFavorite, at place: Place) {
        if favorites.count >= Self.maximumCount { favorites.removeAll(keepingCapacity: true) }
        favorites[place] = stored
    }
}

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
    var text: [UInt8] {
        var json = JSONWriter()
        json.array { json in for favorite in self { json.json(favorite.text) } }
        return json.bytes
    }
}

extension StoredFavorite {
    fileprivate func hasText(_ other: UnsafeRawBufferPointer) -> Bool {
        guard text.count == other.count, let start = other.baseAddress else { return false }
        return text.withUnsafeBytes { text in
            guard let text = text.baseAddress else { return false }
            return memcmp(text, start, other.count) == 0
        }
    }
}
