package import MarvelDomain
internal import Synchronization

package final class EmblemCache: Sendable {
    /// Some 24 MiB of pictures. The largest picture has a few tens of kilobytes.
    private static let maximumBytes = 24 << 20

    private struct Key: Hashable {
        var id: Int64
        var variant: ImageVariant

        /// Leaves the variant out: a character is wanted in few of them.
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    private struct Drawing: SizedValue {
        /// A character may be renamed.
        let name: String
        let png: [UInt8]

        var byteCount: Int { png.count }
    }

    private let pictures = Mutex(GenerationalCache<Key, Drawing>(maximumBytes: EmblemCache.maximumBytes))

    package init() {}

    func drawnPNG(id: Int64, name: String, _ variant: ImageVariant) -> [UInt8]? {
        pictures.withLock { $0.use(Key(id: id, variant: variant)) { $0.name == name ? $0.png : nil } ?? nil }
    }

    package func png(_ character: MarvelCharacter, _ variant: ImageVariant) -> [UInt8] {
        if let known = drawnPNG(id: character.id, name: character.name, variant) { return known }
        // Draw outside the lock, so that others do not wait. Two callers may draw the same picture, with the same
        // result.
        let picture = Emblem(id: character.id, name: character.name).png(variant)
        pictures.withLock { pictures in
            pictures[Key(id: character.id, variant: variant)] = Drawing(name: character.name, png: picture)
            pictures.trim()
        }
        return picture
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
