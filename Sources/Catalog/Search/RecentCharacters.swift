internal import MarvelDomain
internal import Synchronization

/// Shared by all lists.
final class RecentCharacters: Sendable {
    /// About 200 KB, seldom more than a megabyte.
    private static let maximumCount = 256

    private let characters = Mutex<[Int64: MarvelCharacter]>([:])

    func character(_ id: Int64, decode: () -> MarvelCharacter?) -> MarvelCharacter? {
        if let known = characters.withLock({ $0[id] }) { return known }
        guard let character = decode() else { return nil }
        characters.withLock { characters in
            if characters.count >= Self.maximumCount { characters.removeAll(keepingCapacity: true) }
            characters[id] = character
        }
        return character
    }
}
