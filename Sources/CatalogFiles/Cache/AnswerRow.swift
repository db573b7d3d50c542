internal import Foundation
internal import MarvelDomain
internal import NIOCore
internal import SQLiteFiles
internal import Upstream
internal import WireMessages

struct AnswerRow: Sendable {
    let question: String
    private let first: Int
    private let received: Int
    private let total: Int
    private let attribution: String
    private let etag: String?
    private let characters: [UInt8]
    private let fetchedAt: Int64
    private let digest: Int64

    init(_ answer: KeptAnswer, question: String) {
        self.question = question
        first = answer.offset
        received = answer.receivedCount
        total = answer.total
        attribution = answer.attribution
        etag = answer.etag
        characters = Array(answer.encodedCharacters.readableBytesView)
        fetchedAt = answer.fetchedAt.milliseconds
        digest = 0
    }

    init(_ row: Row) throws {
        question = try row.read("question")
        first = try row.read("first")
        received = try row.read("received")
        total = try row.read("total")
        attribution = try row.read("attribution")
        etag = try row.readIfPresent("etag")
        characters = try row.read("characters")
        fetchedAt = try row.read("fetched_at")
        digest = try row.read("digest")
    }

    /// Nil if the row is damaged.
    var answer: KeptAnswer? {
        guard digest == actualDigest,
            let response = try? SearchCharactersResponse(decoding: ByteBuffer(bytes: characters), limit: .response)
        else { return nil }
        let results = CharacterResults(
            characters: response.characters,
            offset: first,
            receivedCount: received,
            total: total,
            attribution: attribution,
            etag: etag
        )
        return KeptAnswer(results, fetchedAt: Moment(milliseconds: fetchedAt))
    }

    var cost: Int { characters.count + question.utf8.count + 1_024 }

    var arguments: [(any SQLConvertible)?] {
        [question, first, received, total, attribution, etag, characters, fetchedAt, actualDigest, cost]
    }

    private var actualDigest: Int64 {
        var hash = FNV1a()
        for text in [question, attribution, etag ?? "", "\(first) \(received) \(total)"] {
            hash.combine(text.utf8)
            hash.combine(UInt8(0))
        }
        hash.combine(characters)
        return Int64(bitPattern: hash.value)
    }
}
