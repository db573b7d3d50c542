internal import MarvelDomain
package import TerminalUI

/// The pictures that are here or on their way: of what is on the screen, and of what was not long ago.
package struct Pictures: Sendable, Equatable {
    /// What there is to show in a picture's place.
    package enum State: Sendable, Equatable {
        case loading
        case image(PixelImage)
        /// The character has no picture, or none is wanted.
        case none
        case failed
    }

    /// How many are loaded at once.
    package static let loadLimit = 4

    /// Whether pictures are shown at all.
    package let isEnabled: Bool
    private var cache = PictureCache()
    /// The first first.
    private var wanted: [PictureKey] = []
    private(set) var loading: Set<PictureKey> = []

    package init(isEnabled: Bool) { self.isEnabled = isEnabled }

    package subscript(key: PictureKey) -> State {
        isEnabled ? cache[key] ?? .loading : .none
    }

    /// Loads those of `keys` that are not here, the first first, and no others; not more than can be kept.
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

    mutating func received(_ answer: PictureAnswer, for key: PictureKey) -> [BrowseEffect] {
        guard loading.remove(key) != nil else { return [] }
        let state: State =
            switch answer {
            case .image(let image): .image(image)
            case .none: .none
            case .failed: .failed
            }
        cache.insert(state, for: key)
        return loadMore()
    }

    /// Loads again what could not be loaded.
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
