import Catalog
import MarvelDomain
import Synchronization

/// A store with one list, a cache with pinned pictures, and a source of pictures, in memory. Each may fail.
final class TestPictures: FavoriteCharacters, PinnedPictures, PictureSource {
    /// The time at which pictures are fetched.
    static let date = Timestamp(seconds: 1_790_000_000)

    struct State {
        var favorites: [Int64: MarvelCharacter] = [:]
        var pinned: [Int64: Picture] = [:]
        /// The pictures in the store of an earlier version.
        var former: [Int64: Picture] = [:]
        /// Of every character.
        var failure: PictureError?
        var failures: [Int64: PictureError] = [:]
        var storeFailure: StoreError?
        var isCacheReadable = true
        var isCacheWritable = true
        /// The characters whose rows in the cache are damaged.
        var damaged: Set<Int64> = []
        var fetches: [Int64] = []
    }

    private let state = Mutex(State())

    static func picture(_ id: Int64) -> Picture { Picture(bytes: [UInt8(truncatingIfNeeded: id)], mediaType: .gif) }

    var value: State { state.withLock { $0 } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func picture(of character: MarvelCharacter, _ variant: ImageVariant) async throws(PictureError) -> FoundPicture {
        let failure = state.withLock { state in
            state.fetches.append(character.id)
            return state.failure ?? state.failures[character.id]
        }
        if let failure { throw failure }
        return FoundPicture(Self.picture(character.id))
    }

    // MARK: The store

    func favorites(among ids: Set<Int64>) async throws(StoreError) -> Set<Int64> {
        let state = value
        if let failure = state.storeFailure { throw failure }
        return ids.filter { state.favorites[$0] != nil }
    }

    func favoriteCharacters(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter] {
        let state = value
        if let failure = state.storeFailure { throw failure }
        let missing = state.favorites.values.filter { !excluded.contains($0.id) }
        return Array(missing.sorted { $0.id < $1.id }.prefix(limit))
    }

    func formerPictureIDs() async throws(StoreError) -> Set<Int64> {
        let state = value
        return Set(state.former.keys.filter { state.favorites[$0] != nil })
    }

    func formerPictures(of ids: [Int64]) async throws(StoreError) -> [KeptPicture] {
        let state = value
        return ids.compactMap { id in
            state.former[id].map { KeptPicture(id: id, picture: $0, fetchedAt: Timestamp(seconds: 7)) }
        }
    }

    // MARK: The cache

    func pinnedPicture(of id: Int64) async -> KeptPicture? {
        state.withLock { state in
            if state.damaged.remove(id) != nil { state.pinned[id] = nil }
            guard state.isCacheReadable, let picture = state.pinned[id] else { return nil }
            return KeptPicture(id: id, picture: picture, fetchedAt: Timestamp(seconds: Self.date.seconds - 60))
        }
    }

    func pinnedIDs() async -> Set<Int64>? {
        let state = value
        return state.isCacheReadable ? Set(state.pinned.keys) : nil
    }

    func pin(_ pictures: [KeptPicture]) async -> Bool {
        state.withLock { state in
            guard state.isCacheWritable else { return false }
            for kept in pictures { state.pinned[kept.id] = kept.picture }
            return true
        }
    }

    func unpin(_ ids: Set<Int64>) async { state.withLock { state in for id in ids { state.pinned[id] = nil } } }
}
