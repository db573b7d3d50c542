package import MarvelDomain
internal import Synchronization

/// Draws the pictures of characters and keeps the last ones that were drawn.
package final class EmblemCache: Sendable {
    /// Pictures; the full one is the largest and has a few tens of kilobytes.
    package static let defaultCapacity = 256

    private struct Key: Hashable {
        var id: Int64
        var variant: ImageVariant
    }

    private struct State {
        var pictures: [Key: [UInt8]] = [:]
        /// Oldest first.
        var order: [Key] = []
    }

    private let capacity: Int
    private let state = Mutex(State())

    package init(capacity: Int = defaultCapacity) { self.capacity = capacity }

    /// The picture as a PNG file.
    package func png(_ character: MarvelCharacter, _ variant: ImageVariant) -> [UInt8] {
        let key = Key(id: character.id, variant: variant)
        if let known = state.withLock({ $0.pictures[key] }) { return known }
        // Drawn outside the lock, which others may want meanwhile. Who draws the same gets the same.
        let picture = Emblem(id: character.id, name: character.name).png(variant)
        state.withLock { state in
            guard state.pictures.updateValue(picture, forKey: key) == nil else { return }
            state.order.append(key)
            if state.order.count > capacity { state.pictures[state.order.removeFirst()] = nil }
        }
        return picture
    }

    /// How many pictures are kept.
    var count: Int { state.withLock { $0.pictures.count } }
}
