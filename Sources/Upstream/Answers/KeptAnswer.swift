internal import Catalog
internal import MarvelDomain
package import NIOCore
package import WireMessages

package struct KeptAnswer: Sendable {
    let characters: EncodedCharacters
    package let offset: Int
    package let receivedCount: Int
    package let total: Int
    package let attribution: String
    package let etag: String?
    package private(set) var fetchedAt: Moment

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

    func confirmed(at moment: Moment) -> KeptAnswer {
        var copy = self
        copy.fetchedAt = moment
        return copy
    }

    package var ids: [Int64] { characters.ids }

    package var encodedCharacters: ByteBuffer { characters.encoded }

    package var isNegative: Bool { receivedCount == 0 }

    var byteCount: Int { characters.encoded.readableBytes + 16 * characters.count + 512 }

    func character(id: Int64) -> MarvelCharacter? {
        characters.ids.firstIndex(of: id).flatMap { characters.character($0) }
    }
}

package struct FoundAnswer: Sendable {
    package let answer: KeptAnswer
    package let freshness: Freshness
}

/// A durable cache, which may evict any answer. If it fails, it logs the failure and acts like an empty cache. Writes
/// return immediately.
package protocol AnswerStore: Sendable {
    func answer(to key: String) async -> KeptAnswer?

    func answer(holding id: Int64) async -> (key: String, answer: KeptAnswer)?

    func keep(_ answer: KeptAnswer, to key: String)

    func forgetCharacter(_ id: Int64)
}

struct AnswerMemory: Sendable {
    private var answers: LeastRecentlyUsed<String, KeptAnswer>
    private var keys: [Int64: String] = [:]
    private var missing: LeastRecentlyUsed<Int64, Moment>

    init(maximumByteCount: Int, maximumMissing: Int = 10_000) {
        answers = LeastRecentlyUsed(maximumCost: maximumByteCount)
        missing = LeastRecentlyUsed(maximumCost: maximumMissing)
    }

    mutating func answer(to key: String) -> KeptAnswer? { answers.use(key) }

    mutating func answer(holding id: Int64) -> (key: String, answer: KeptAnswer)? {
        guard let key = keys[id], let answer = answers.use(key) else { return nil }
        return (key, answer)
    }

    mutating func missing(_ id: Int64) -> Moment? { missing.use(id) }

    mutating func keep(_ answer: KeptAnswer, to key: String) {
        for (key, evicted) in answers.keep(answer, for: key, cost: answer.byteCount) {
            for id in evicted.ids where keys[id] == key { keys[id] = nil }
        }
        guard answers.use(key) != nil else { return }
        for id in answer.ids {
            missing.remove(id)
            if let other = keys[id].flatMap({ answers.use($0) }), other.fetchedAt > answer.fetchedAt { continue }
            keys[id] = key
        }
    }

    mutating func keepMissing(_ id: Int64, at moment: Moment) {
        keys[id] = nil
        missing.keep(moment, for: id)
    }
}
