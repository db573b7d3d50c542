package import MarvelDomain
internal import Synchronization

/// A cache of drawn emblems, which draws those that it does not have.
package final class EmblemCache: Sendable {
    /// The maximum number of pictures. The largest are those of the variant `full`, with a few tens of kilobytes.
    package static let defaultCapacity = 256

    private struct Key: Hashable {
        var id: Int64
        /// The name, because a character may be renamed.
        var name: String
        var variant: ImageVariant
    }

    private let pictures: Mutex<LeastRecentlyUsed<Key, [UInt8]>>

    package init(capacity: Int = defaultCapacity) { pictures = Mutex(LeastRecentlyUsed(maximumCost: capacity)) }

    /// Returns the picture of a character as a PNG file.
    package func png(_ character: MarvelCharacter, _ variant: ImageVariant) -> [UInt8] {
        let key = Key(id: character.id, name: character.name, variant: variant)
        if let known = pictures.withLock({ $0.use(key) }) { return known }
        // The picture is drawn outside the lock, so that others do not wait. Two callers may draw the same picture,
        // with the same result.
        let picture = Emblem(id: character.id, name: character.name).png(variant)
        pictures.withLock { _ = $0.keep(picture, for: key) }
        return picture
    }

    /// The number of pictures in the cache.
    var count: Int { pictures.withLock { $0.count } }
}

/// A source of pictures that draws emblems, for characters of the catalogs in memory, which have no pictures on a host.
package struct DrawnPictures: PictureSource {
    private let emblems = EmblemCache()

    package init() {}

    package func picture(
        of character: MarvelCharacter,
        _ variant: ImageVariant
    ) async throws(PictureError) -> FoundPicture {
        guard character.isDrawn else { throw .none }
        // Drawing takes milliseconds, which is too long for an event loop.
        return await withTaskExecutorPreference(globalConcurrentExecutor) { [emblems] in
            FoundPicture(Picture(bytes: emblems.png(character, variant), mediaType: .png))
        }
    }
}
