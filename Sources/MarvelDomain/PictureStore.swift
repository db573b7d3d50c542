/// A durable store of favorites' pictures, so that they can be shown when their source is unavailable.
///
/// There is one picture for each character, in one size. A change here changes no list and sends no event.
package protocol PictureStore: Sendable {
    /// Returns the stored picture of a character; nil if there is none.
    ///
    /// - Throws: `StoreError.notReadable`.
    func picture(of id: Int64) async throws(StoreError) -> KeptPicture?

    /// Returns whether a picture of a character is stored.
    ///
    /// - Throws: `StoreError.notReadable`.
    func hasPicture(of id: Int64) async throws(StoreError) -> Bool

    /// Stores the pictures of those characters that are on some list, in one transaction.
    ///
    /// - Parameter pictures: The pictures, by the ids of their characters. Pictures that are stored already are
    ///   replaced.
    /// - Returns: The ids of the characters whose pictures were stored.
    /// - Throws: `StoreError.notWritable`; then no picture was stored.
    func keep(_ pictures: [Int64: Picture]) async throws(StoreError) -> Set<Int64>

    /// Deletes pictures whose characters are on no list.
    ///
    /// - Parameter ids: The ids of the characters to check; nil for all.
    /// - Throws: `StoreError.notWritable`.
    func dropPictures(of ids: Set<Int64>?) async throws(StoreError)

    /// Returns favorites without a stored picture, each character once.
    ///
    /// - Parameters:
    ///   - excluded: The ids of characters to leave out.
    ///   - limit: The maximum number of characters to return.
    /// - Returns: The characters as they were saved.
    /// - Throws: `StoreError.notReadable`.
    func charactersWithoutPicture(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter]
}

/// A stored picture and its age.
package struct KeptPicture: Sendable, Hashable {
    /// The size in which pictures of favorites are stored.
    package static let variant = ImageVariant.standardLarge

    package var picture: Picture
    /// The time since the picture was stored, 0 or more, in whole seconds.
    package var age: Duration

    package init(_ picture: Picture, age: Duration) {
        self.picture = picture
        self.age = age
    }
}
