package import MarvelDomain
internal import Synchronization

/// The emblems that were drawn lately, in two generations. When the younger one is full, it replaces the older one, so that
/// no eviction looks for the oldest of thousands.
package final class EmblemCache: Sendable {
    /// The default maximum of bytes of all pictures: 24 MiB. The largest picture, of the variant `full`, has a few tens of
    /// kilobytes.
    package static let defaultMaximumBytes = 24 << 20

    private struct Key: Hashable {
        var id: Int64
        var name: String
        var variant: ImageVariant
    }

    private struct Generations {
        var younger: [Key: [UInt8]] = [:]
        var youngerByteCount = 0
        var older: [Key: [UInt8]] = [:]

        mutating func keep(_ picture: [UInt8], for key: Key, maximumBytes: Int) {
            if youngerByteCount + picture.count > maximumBytes {
                older = younger
                (younger, youngerByteCount) = ([:], 0)
            }
            if younger.updateValue(picture, forKey: key) == nil { youngerByteCount += picture.count }
        }
    }

    /// The maximum of one generation.
    private let maximumBytes: Int
    private let pictures = Mutex(Generations())

    package init(maximumBytes: Int = defaultMaximumBytes) { self.maximumBytes = maximumBytes / 2 }

    /// Returns the picture if it was drawn lately.
    func drawnPNG(_ character: MarvelCharacter, _ variant: ImageVariant) -> [UInt8]? {
        let key = Key(id: character.id, name: character.name, variant: variant)
        return pictures.withLock { pictures in
            if let picture = pictures.younger[key] { return picture }
            guard let picture = pictures.older.removeValue(forKey: key) else { return nil }
            pictures.keep(picture, for: key, maximumBytes: maximumBytes)
            return picture
        }
    }

    package func png(_ character: MarvelCharacter, _ variant: ImageVariant) -> [UInt8] {
        if let known = drawnPNG(character, variant) { return known }
        // Draw outside the lock, so that others do not wait. Two callers may draw the same picture, with the same
        // result.
        let picture = Emblem(id: character.id, name: character.name).png(variant)
        let key = Key(id: character.id, name: character.name, variant: variant)
        pictures.withLock { $0.keep(picture, for: key, maximumBytes: maximumBytes) }
        return picture
    }

    var byteCount: Int {
        pictures.withLock { $0.youngerByteCount + $0.older.values.reduce(0) { $0 + $1.count } }
    }
}

/// A source of emblems for characters of the catalogs in memory, which have no pictures on a host.
package struct DrawnPictures: PictureSource {
    private let emblems = EmblemCache()

    package init() {}

    package func pictureInMemory(of character: MarvelCharacter, _ variant: ImageVariant) -> FoundPicture? {
        guard character.isDrawn else { return nil }
        return emblems.drawnPNG(character, variant).map { FoundPicture(Picture(bytes: $0, mediaType: .png)) }
    }

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
