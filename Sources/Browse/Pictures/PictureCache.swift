internal import MarvelDomain
internal import TerminalUI

/// A cache of loaded pictures. It evicts the pictures that were least recently on the screen.
struct PictureCache: Sendable, Equatable {
    static let countLimit = 200
    /// The maximum size of all pixels, in bytes.
    static let byteLimit = 64 * 1024 * 1024

    private var states = LeastRecentlyUsed<PictureKey, Pictures.State>()
    private var visible: Set<PictureKey> = []

    var byteCount: Int { states.cost }
    var count: Int { states.count }

    subscript(key: PictureKey) -> Pictures.State? { states[key] }

    mutating func touch(_ keys: [PictureKey]) {
        visible = Set(keys)
        for key in keys { states.use(key) }
    }

    /// Inserts a picture, and evicts pictures that are not on the screen. If that is not enough room, it stores the
    /// state `none`, which prevents repeated loading.
    mutating func insert(_ state: Pictures.State, for key: PictureKey) {
        states.keep(state, for: key, cost: state.byteCount)
        while states.count > PictureCache.countLimit || states.cost > PictureCache.byteLimit {
            guard states.evict(sparing: visible.union([key])) != nil else {
                states.keep(.none, for: key, cost: 0)
                return
            }
        }
    }

    mutating func removeFailed() { states.removeAll { $0 == .failed } }
}

extension Pictures.State {
    fileprivate var byteCount: Int {
        if case .image(let image) = self { image.pixels.count } else { 0 }
    }
}

package struct PictureKey: Sendable, Hashable {
    package enum Size: Sendable, Hashable {
        case card
        case detail
    }

    package var characterID: Int64
    package var size: Size

    package init(_ characterID: Int64, _ size: Size) {
        self.characterID = characterID
        self.size = size
    }
}
