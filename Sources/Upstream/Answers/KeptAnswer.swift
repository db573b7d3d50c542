internal import Catalog
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

    /// The characters, decoded.
    var decodedCharacters: [MarvelCharacter] {
        // The initializer encoded these bytes as a response with exactly these characters.
        let page = try? SearchCharactersResponse(decoding: encodedCharacters, limit: .response)
        return page?.characters ?? []
    }

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

/// A durable cache of one gateway's answers.
///
/// It may evict any answer. If it fails, it behaves as if it were empty, and logs the failure: callers get no errors.
package protocol AnswerStore: Sendable {
    /// Returns the answer to the question with a key.
    func answer(to key: String) async -> KeptAnswer?

    /// Returns the newest answer that contains a character, and the key of its question.
    func answer(holding id: Int64) async -> (key: String, answer: KeptAnswer)?

    /// Stores an answer. Returns at once.
    func keep(_ answer: KeptAnswer, to key: String)

    /// Removes a character that the gateway no longer has. Returns at once.
    func forgetCharacter(_ id: Int64)
}
