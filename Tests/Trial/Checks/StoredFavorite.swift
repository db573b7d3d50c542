package import MarvelDomain

/// Finds where a favorite is in the file of a store, to damage it there.
package enum StoredFavorite {
    /// The bytes of a favorite that its page holds; more may be on another page.
    package static let searchedCount = 200

    /// Between the list's name and the text of a favorite are its id and the revision that saved it.
    private static let maximumGap = 16

    /// Finds the values of a favorite in the rows of the favorites on a list: its id, the revision that saved it, and its text
    /// up to `searchedCount` bytes. A page may also hold the rest of an earlier
    /// row.
    ///
    /// The same text is in the log of the list, and in the answers to requests: there it is a part of other JSON.
    ///
    /// - Parameters:
    ///   - favorite: The favorite.
    ///   - list: The list that holds it.
    ///   - file: The bytes of the file, whose log is empty.
    /// - Returns: The positions of the values. They end at the same byte of the text; the numbers before it may be shorter
    ///   in a row of before.
    package static func places(of favorite: Favorite, on list: ListName, in file: [UInt8]) -> [Range<Int>] {
        let text = Array(FavoriteJSON.utf8(favorite).prefix(searchedCount))
        let name = Array(list.text.utf8)
        let window = maximumGap + name.count
        return file.withUnsafeBufferPointer { file in
            var places: [Range<Int>] = []
            guard let first = text.first, file.count >= text.count else { return places }
            for place in 0...(file.count - text.count) where file[place] == first && place >= window {
                guard file[place..<(place + text.count)].elementsEqual(text) else { continue }
                let before = file[(place - window)..<place]
                let isInJSON = ":[,".utf8.contains(file[place - 1])
                if !isInJSON, let start = before.indices.last(where: { before[$0...].starts(with: name) }) {
                    places.append((start + name.count)..<(place + text.count))
                }
            }
            return places
        }
    }
}
