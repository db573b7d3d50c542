/// The maximum sizes of one character's texts, enforced by every catalog.
///
/// Within these limits a page of 100 characters fits into one message of 4 MiB. So no character can break its pages.
package enum CharacterLimits {
    package static let nameBytes = 2_400
    package static let descriptionBytes = 15_000
    package static let urlBytes = 12 * 1_024
    package static let thumbnailBytes = 2_048
    package static let attributionBytes = 2_000
}

extension MarvelCharacter {
    /// A copy of the character within `CharacterLimits`.
    ///
    /// It truncates texts, and drops links beyond the limit and a picture with a too long address. Nearly every
    /// character is unchanged.
    package var withinLimits: MarvelCharacter {
        var character = self
        if name.utf8.count > CharacterLimits.nameBytes { character.name = name.cut(to: CharacterLimits.nameBytes) }
        if description.utf8.count > CharacterLimits.descriptionBytes {
            character.description = description.cut(to: CharacterLimits.descriptionBytes)
        }
        if let thumbnail, thumbnail.byteCount > CharacterLimits.thumbnailBytes { character.thumbnail = nil }
        if urls.reduce(0, { $0 + $1.byteCount }) > CharacterLimits.urlBytes {
            var rest = CharacterLimits.urlBytes
            character.urls = urls.filter { url in
                guard url.byteCount <= rest else { return false }
                rest -= url.byteCount
                return true
            }
        }
        return character
    }
}

extension CharacterURL {
    /// The bytes of both texts, and 8 as an estimate of their encoding's overhead.
    package var byteCount: Int { type.utf8.count + url.utf8.count + 8 }
}

extension Thumbnail {
    fileprivate var byteCount: Int { path.utf8.count + fileExtension.utf8.count }
}

extension String {
    /// The longest prefix of whole code points with at most this many bytes of UTF-8.
    package func cut(to maximumByteCount: Int) -> String {
        guard utf8.count > maximumByteCount else { return self }
        var byteCount = 0
        let kept = unicodeScalars.prefix { scalar in
            byteCount += UTF8.width(scalar)
            return byteCount <= maximumByteCount
        }
        return String(kept)
    }
}
