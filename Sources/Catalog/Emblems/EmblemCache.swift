package import MarvelDomain
internal import Synchronization

package final class EmblemCache: Sendable {
    /// The maximum number of pictures. The largest, of the variant `full`, have a few tens of kilobytes.
    package static let defaultCapacity = 256

    private struct Key: Hashable {
        var id: Int64
        var name: String
        var variant: ImageVariant
    }

    private let pictures: Mutex<LeastRecentlyUsed<Key, [UInt8]>>

    package init(capacity: Int = defaultCapacity) { pictures = Mutex(LeastRecentlyUsed(maximumCost: capacity)) }

    package func png(_ character: MarvelCharacter, _ variant: ImageVariant) -> [UInt8] {
        let key = Key(id: character.id, name: character.name, variant: variant)
        if let known = pictures.withLock({ $0.use(key) }) { return known }
        // Draw outside the lock, so that others do not wait. Two callers may draw the same picture, with the same
        // result.
        let picture = Emblem(id: character.id, name: character.name).png(variant)
        pictures.withLock { _ = $0.keep(picture, for: key) }
        return picture
    }

    var count: Int { pictures.withLock { $0.count } }
}

/// A source of emblems for characters of the catalogs in memory, which have no pictures on a host.
package struct DrawnPictures: PictureSource {
    private let emblems = EmblemCache()

    package init() {}

    package func picture(
        of character: MarvelCharacter,
        _ variant: ImageVariant
    ) async throws(PictureError) -> FoundPicture {
        guard character.isDrawn else { throw .none }
        // Drawing takes milliseconds: too long for an event loop.
        return await withTaskExecutorPreference(globalConcurrentExecutor) { [emblems] in
            FoundPicture(Picture(bytes: emblems.png(character, variant), mediaType: .png))
        }
    }
}
