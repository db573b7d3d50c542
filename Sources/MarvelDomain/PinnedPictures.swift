/// A cache that keeps the pictures of favorites until they are unpinned, for times when their source is unavailable. It
/// has one picture for each character, in one size.
///
/// If the cache fails, it logs the failure and acts like an empty cache. Lists do not depend on it.
package protocol PinnedPictures: Sendable {
    /// Nil also for a damaged picture, which is then unpinned.
    func pinnedPicture(of id: Int64) async -> KeptPicture?

    /// Nil if the cache cannot be read.
    func pinnedIDs() async -> Set<Int64>?

    /// Pins or replaces pictures, all or none. Returns whether they are synced to disk.
    func pin(_ pictures: [KeptPicture]) async -> Bool

    func unpin(_ ids: Set<Int64>) async
}

package protocol FavoriteCharacters: Sendable {
    /// Returns those characters that are on a list.
    ///
    /// - Throws: `StoreError.notReadable`.
    func favorites(among ids: Set<Int64>) async throws(StoreError) -> Set<Int64>

    /// Returns at most `limit` characters on lists, as they were saved, each once, except the excluded ones.
    ///
    /// - Throws: `StoreError.notReadable`.
    func favoriteCharacters(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter]

    /// The ids of favorites whose pictures an earlier version kept in the store.
    ///
    /// - Throws: `StoreError.notReadable`.
    func formerPictureIDs() async throws(StoreError) -> Set<Int64>

    /// Pictures that an earlier version kept in the store, for the server to pin.
    ///
    /// - Throws: `StoreError.notReadable`.
    func formerPictures(of ids: [Int64]) async throws(StoreError) -> [KeptPicture]
}

extension FavoriteCharacters {
    package func formerPictureIDs() async throws(StoreError) -> Set<Int64> { [] }

    package func formerPictures(of ids: [Int64]) async throws(StoreError) -> [KeptPicture] { [] }
}

package struct KeptPicture: Sendable, Hashable {
    /// The size in which pictures of favorites are fetched.
    package static let variant = ImageVariant.standardLarge

    package var id: Int64
    package var picture: Picture
    /// In whole seconds.
    package var fetchedAt: Timestamp

    package init(id: Int64, picture: Picture, fetchedAt: Timestamp) {
        (self.id, self.picture, self.fetchedAt) = (id, picture, fetchedAt)
    }
}
