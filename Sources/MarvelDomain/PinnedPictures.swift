/// A cache that holds pictures of favorites until they are unpinned, so that they can be shown when their source is
/// unavailable. There is one picture for each character, in one size.
///
/// If the cache fails, it logs the failure and behaves as if it were empty. Lists do not depend on it.
package protocol PinnedPictures: Sendable {
    /// Returns the pinned picture of a character; nil also if it is damaged, and then it is unpinned.
    func pinnedPicture(of id: Int64) async -> KeptPicture?

    /// Returns the ids of the characters with a pinned picture; nil if the cache cannot be read.
    func pinnedIDs() async -> Set<Int64>?

    /// Pins pictures, all or none. They replace those that are pinned already.
    ///
    /// - Returns: Whether the pictures are synced to disk.
    func pin(_ pictures: [KeptPicture]) async -> Bool

    /// Deletes the pinned pictures of some characters.
    func unpin(_ ids: Set<Int64>) async
}

/// The characters on the lists of a store.
package protocol FavoriteCharacters: Sendable {
    /// Returns those of some characters that are on a list.
    ///
    /// - Throws: `StoreError.notReadable`.
    func favorites(among ids: Set<Int64>) async throws(StoreError) -> Set<Int64>

    /// Returns characters that are on a list, each once.
    ///
    /// - Parameters:
    ///   - excluded: The ids of characters to leave out.
    ///   - limit: The maximum number of characters to return.
    /// - Returns: The characters as they were saved.
    /// - Throws: `StoreError.notReadable`.
    func favoriteCharacters(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter]

    /// Returns the ids of favorites whose pictures an earlier version kept in the store.
    ///
    /// - Throws: `StoreError.notReadable`.
    func formerPictureIDs() async throws(StoreError) -> Set<Int64>

    /// Returns pictures that an earlier version kept in the store, for the server to pin.
    ///
    /// - Throws: `StoreError.notReadable`.
    func formerPictures(of ids: [Int64]) async throws(StoreError) -> [KeptPicture]
}

extension FavoriteCharacters {
    package func formerPictureIDs() async throws(StoreError) -> Set<Int64> { [] }

    package func formerPictures(of ids: [Int64]) async throws(StoreError) -> [KeptPicture] { [] }
}

/// The picture of a favorite, and the time when it was fetched.
package struct KeptPicture: Sendable, Hashable {
    /// The size in which pictures of favorites are fetched.
    package static let variant = ImageVariant.standardLarge

    /// The id of the character.
    package var id: Int64
    package var picture: Picture
    /// In whole seconds.
    package var fetchedAt: Timestamp

    package init(id: Int64, picture: Picture, fetchedAt: Timestamp) {
        (self.id, self.picture, self.fetchedAt) = (id, picture, fetchedAt)
    }
}

/// Pictures on their way from one place to another, a few at a time: a picture may have 3 MiB.
package struct PictureBatch {
    /// The number of pictures and of bytes at which a batch is passed on.
    private static let (maximumCount, maximumBytes) = (256, 8 << 20)

    private var pictures: [KeptPicture] = []
    private var byteCount = 0
    private let pass: ([KeptPicture]) throws -> Void

    /// - Parameter pass: Called with the pictures of each batch.
    package init(_ pass: @escaping ([KeptPicture]) throws -> Void) { self.pass = pass }

    package mutating func add(_ picture: KeptPicture) throws {
        pictures.append(picture)
        byteCount += picture.picture.bytes.count
        if pictures.count >= Self.maximumCount || byteCount >= Self.maximumBytes { try flush() }
    }

    /// Passes the rest on. To be called after the last picture.
    package mutating func flush() throws {
        guard !pictures.isEmpty else { return }
        try pass(pictures)
        (pictures, byteCount) = ([], 0)
    }
}
