package import MarvelAPI
internal import MarvelDomain
package import NIOCore
package import WireMessages

/// A cached answer of a gateway, with encoded characters and the time of the answer.
package final class KeptAnswer: Sendable {
    let characters: EncodedCharacters
    package let offset: Int
    package let receivedCount: Int
    package let total: Int
    package let attribution: String
    package let etag: String?
    package let fetchedAt: Moment

    package init(_ results: CharacterResults, fetchedAt: Moment) {
        var encoded = ByteBuffer()
        var offsets: [UInt32] = [0]
        for character in results.characters {
            SearchCharactersResponse.writeCharacter(character.withinLimits, into: &encoded)
            offsets.append(UInt32(encoded.writerIndex))
        }
        self.characters = EncodedCharacters(encoded: encoded, offsets: offsets, ids: results.characters.map(\.id))
        self.offset = results.offset
        self.receivedCount = results.receivedCount
        self.total = results.total
        self.attribution = results.attribution.cut(to: CharacterLimits.attributionBytes)
        self.etag = results.etag.flatMap { EntityTag.isSendable($0) ? $0 : nil }
        self.fetchedAt = fetchedAt
    }

    private init(_ other: KeptAnswer, fetchedAt: Moment) {
        self.characters = other.characters
        self.offset = other.offset
        self.receivedCount = other.receivedCount
        self.total = other.total
        self.attribution = other.attribution
        self.etag = other.etag
        self.fetchedAt = fetchedAt
    }

    /// Returns a copy with a new time, after the gateway has confirmed the answer.
    func confirmed(at moment: Moment) -> KeptAnswer { KeptAnswer(self, fetchedAt: moment) }

    package var ids: [Int64] { characters.ids }

    /// A `SearchCharactersResponse` with these characters and nothing else.
    package var encodedCharacters: ByteBuffer { characters.encoded }

    /// Whether the answer has no entries.
    package var isNegative: Bool { receivedCount == 0 }

    /// The approximate size in memory.
    var byteCount: Int { characters.encoded.readableBytes + 16 * characters.count + 512 }

    func character(id: Int64) -> MarvelCharacter? {
        guard let slot = characters.ids.firstIndex(of: id) else { return nil }
        let element = EncodedCharacters.Run(characters: characters, slots: slot..<slot + 1).encoded
        // The initializer encoded these bytes as a response with exactly this character.
        return try? SearchCharactersResponse(decoding: element, limit: .response).characters.first
    }
}

/// An answer and its freshness, as a caller gets it.
package struct FoundAnswer: Sendable {
    package let answer: KeptAnswer
    package let freshness: Freshness
}
