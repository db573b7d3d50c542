package import MarvelDomain
internal import Synchronization

/// Two generations: when the younger one is full, it replaces the older one. So no eviction searches thousands.
package final class EmblemCache: Sendable {
    /// 24 MiB of pictures. The largest picture has a few tens of kilobytes.
    package static let defaultMaximumBytes = 24 << 20

    private struct Key: Hashable {
        var id: Int64
        var variant: ImageVariant

        /// Leaves the variant out: a character is wanted in few of them.
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    private struct Drawing {
        /// A character may be renamed.
        var name: String
        var png: [UInt8]
    }

    private struct Generations {
        var younger: [Key: Drawing] = [:]
        var youngerByteCount = 0
        var older: [Key: Drawing] = [:]

        mutating func keep(_ picture: Drawing, for key: Key, maximumBytes: Int) {
            if youngerByteCount + picture.png.count > maximumBytes {
                older = younger
                (younger, youngerByteCount) = ([:], 0)
            }
            youngerByteCount += picture.png.count
            if let replaced = younger.updateValue(picture, forKey: key) { youngerByteCount -= replaced.png.count }
        }
    }

    /// The maximum of one generation.
    private let maximumBytes: Int
    private let pictures = Mutex(Generations())

    package init(maximumBytes: Int = defaultMaximumBytes) { self.maximumBytes = maximumBytes / 2 }

    func drawnPNG(id: Int64, name: String, _ variant: ImageVariant) -> [UInt8]? {
        let key = Key(id: id, variant: variant)
        return pictures.withLock { pictures in
            if let picture = pictures.younger[key] { return picture.name == name ? picture.png : nil }
            guard let picture = pictures.older.removeValue(forKey: key), picture.name == name else { return nil }
            pictures.keep(picture, for: key, maximumBytes: maximumBytes)
            return picture.png
        }
    }

    package func png(_ character: MarvelCharacter, _ variant: ImageVariant) -> [UInt8] {
        if let known = drawnPNG(id: character.id, name: character.name, variant) { return known }
        // Draw outside the lock, so that others do not wait. Two callers may draw the same picture, with the same
        // result.
        let picture = Emblem(id: character.id, name: character.name).png(variant)
        let kept = Drawing(name: character.name, png: picture)
        let key = Key(id: character.id, variant: variant)
        pictures.withLock { $0.keep(kept, for: key, maximumBytes: maximumBytes) }
        return picture
    }

    var byteCount: Int {
        pictures.withLock { $0.youngerByteCount + $0.older.values.reduce(0) { $0 + $1.png.count } }
    }
}

package struct DrawnPictures: PictureSource {
    private let emblems = EmblemCache()

    package init() {}

    package func drawnPicture(id: Int64, name: String, _ variant: ImageVariant) -> FoundPicture? {
        emblems.drawnPNG(id: id, name: name, variant).map { FoundPicture(Picture(bytes: $0, mediaType: .png)) }
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
