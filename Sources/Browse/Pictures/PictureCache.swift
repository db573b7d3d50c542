internal import TerminalUI

/// A cache of loaded pictures. It evicts the pictures that were least recently on the screen.
struct PictureCache: Sendable, Equatable {
    static let countLimit = 200
    /// The maximum size of all pixels in bytes.
    static let byteLimit = 64 * 1024 * 1024

    private struct Entry: Sendable, Equatable {
        var state: Pictures.State
        var lastUse: Int
    }

    private var entries: [PictureKey: Entry] = [:]
    private var uses = 0
    private(set) var byteCount = 0

    var count: Int { entries.count }

    subscript(key: PictureKey) -> Pictures.State? { entries[key]?.state }

    /// Marks pictures as being on the screen now.
    mutating func touch(_ keys: [PictureKey]) {
        uses += 1
        for key in keys { entries[key]?.lastUse = uses }
    }

    /// Inserts a picture, and evicts pictures that are not on the screen. If this does not make enough room, the state
    /// `none` is stored, so that the picture is not loaded again and again.
    mutating func insert(_ state: Pictures.State, for key: PictureKey) {
        set(state, for: key)
        while entries.count > PictureCache.countLimit || byteCount > PictureCache.byteLimit {
            let unseen = entries.filter { $0.value.lastUse < uses }
            guard let oldest = unseen.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
                set(.none, for: key)
                return
            }
            remove(oldest.key)
        }
    }

    private mutating func set(_ state: Pictures.State, for key: PictureKey) {
        remove(key)
        entries[key] = Entry(state: state, lastUse: uses)
        byteCount += state.byteCount
    }

    mutating func removeFailed() {
        for (key, entry) in entries where entry.state == .failed { remove(key) }
    }

    private mutating func remove(_ key: PictureKey) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        byteCount -= entry.state.byteCount
    }
}

extension Pictures.State {
    fileprivate var byteCount: Int {
        if case .image(let image) = self { image.pixels.count } else { 0 }
    }
}

/// The key of a picture: a character and a size.
package struct PictureKey: Sendable, Hashable {
    /// The size at which a picture is shown.
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
