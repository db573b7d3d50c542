internal import MarvelDomain
internal import Synchronization

/// The characters that were decoded a moment ago: the same ones are saved on many lists, and all lists then share one.
/// Decoding them again took a tenth of the event loop's time for a toggle.
final class RecentCharacters: Sendable {
    /// The maximum number of characters. They take some 200 KB, seldom more than a megabyte.
    private static let maximumCount = 256

    private let characters = Mutex<[Int64: MarvelCharacter]>([:])

    /// Returns the character with an id. If it is not here, it is what `decode` returns.
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
