internal import MarvelDomain
internal import Synchronization

/// A cache of recently decoded characters, shared by all lists that contain them.
final class RecentCharacters: Sendable {
    /// The maximum number of characters. They take about 200 KB, seldom more than a megabyte.
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
