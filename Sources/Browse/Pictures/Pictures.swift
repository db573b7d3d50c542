internal import MarvelDomain
package import TerminalUI

/// The cached and loading pictures, for the cards on the screen and for recent ones.
package struct Pictures: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        case loading
        case image(PixelImage)
        /// The character has no picture, or pictures are disabled.
        case none
        case failed
    }

    /// The maximum number of concurrent loads.
    package static let loadLimit = 4

    package let isEnabled: Bool
    private var cache = PictureCache()
    /// The pictures on the screen, in the order of loading.
    private var wanted: [PictureKey] = []
    private(set) var loading: Set<PictureKey> = []

    package init(isEnabled: Bool) { self.isEnabled = isEnabled }

    package subscript(key: PictureKey) -> State {
        isEnabled ? cache[key] ?? .loading : .none
    }

    /// Loads the missing pictures of `keys` in order, and cancels other loads. Keys beyond the cache's capacity are
    /// ignored.
    mutating func want(_ keys: [PictureKey]) -> [BrowseEffect] {
        let keys = Array(keys.prefix(PictureCache.countLimit))
        guard isEnabled, keys != wanted else { return [] }
        wanted = keys
        cache.touch(keys)
        let dropped = loading.subtracting(keys)
        loading.subtract(dropped)
        let cancels = dropped.sorted { $0.characterID < $1.characterID }.map(BrowseEffect.cancelPicture)
        return cancels + loadMore()
    }

    mutating func received(_ state: State, for key: PictureKey) -> [BrowseEffect] {
        guard loading.remove(key) != nil else { return [] }
        cache.insert(state, for: key)
        return loadMore()
    }

    mutating func retryFailed() -> [BrowseEffect] {
        cache.removeFailed()
        return loadMore()
    }

    private mutating func loadMore() -> [BrowseEffect] {
        let room = Pictures.loadLimit - loading.count
        let next = wanted.lazy.filter { [cache, loading] in cache[$0] == nil && !loading.contains($0) }.prefix(room)
        let keys = Array(next)
        loading.formUnion(keys)
        return keys.map(BrowseEffect.loadPicture)
    }
}
