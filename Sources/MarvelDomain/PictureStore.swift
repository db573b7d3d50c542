/// Where the pictures of favorites outlive the source that they came from: one for each character, in one size. What
/// happens here changes no list, and makes no event.
package protocol PictureStore: Sendable {
    /// The picture that is kept of a character, or nil.
    ///
    /// - Throws: `StoreError.notReadable`.
    func picture(of id: Int64) async throws(StoreError) -> KeptPicture?

    /// Whether a picture is kept of a character.
    ///
    /// - Throws: `StoreError.notReadable`.
    func hasPicture(of id: Int64) async throws(StoreError) -> Bool

    /// Keeps pictures, in one transaction, of those characters that are on some list.
    ///
    /// - Parameter pictures: By the ids of their characters. One that is kept already is replaced.
    /// - Returns: The ids of those that are kept.
    /// - Throws: `StoreError.notWritable`; then none is kept.
    func keep(_ pictures: [Int64: Picture]) async throws(StoreError) -> Set<Int64>

    /// Lets go of pictures whose characters are on no list.
    ///
    /// - Parameter ids: The characters to look at; nil: all.
    /// - Throws: `StoreError.notWritable`.
    func dropPictures(of ids: Set<Int64>?) async throws(StoreError)

    /// Favorites of which no picture is kept, each character once.
    ///
    /// - Parameters:
    ///   - excluded: The ids of those that are not asked for.
    ///   - limit: How many to return at most.
    /// - Returns: The characters as they were saved.
    /// - Throws: `StoreError.notReadable`.
    func charactersWithoutPicture(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter]
}

/// A picture, and for how long it has been kept.
package struct KeptPicture: Sendable, Hashable {
    /// The size in which pictures of favorites are kept.
    package static let variant = ImageVariant.standardLarge

    package var picture: Picture
    /// Not negative, to the second.
    package var age: Duration

    package init(_ picture: Picture, age: Duration) {
        self.picture = picture
        self.age = age
    }
}
