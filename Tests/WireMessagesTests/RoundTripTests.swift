import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

struct RoundTripTests {
    /// No field of the schema is lost.
    @Test(arguments: MessageKind.all)
    func decodedMessagesEncodeToTheSameBytes(kind: MessageKind) throws {
        var random = SplitMix64(seed: 199_999)
        for _ in 0..<300 {
            let bytes = kind.example(&random)
            #expect(try kind.recode(bytes, .response) == bytes)
        }
    }

    @Test func encodingAppendsToTheBuffer() throws {
        var buffer = ByteBuffer(string: "before")
        HealthCheckRequest(service: "marvel").encode(into: &buffer)
        #expect(buffer.readString(length: 6) == "before")
        #expect(try HealthCheckRequest(decoding: buffer, limit: .request).service == "marvel")
    }

    @Test func onlyReadableBytesAreDecoded() throws {
        var buffer = ByteBuffer(string: "xx")
        buffer.moveReaderIndex(forwardBy: 2)
        HealthCheckRequest(service: "marvel").encode(into: &buffer)
        let end = buffer.writerIndex
        buffer.writeString("rest")
        let slice = try #require(buffer.getSlice(at: 2, length: end - 2))
        #expect(try HealthCheckRequest(decoding: slice, limit: .request).service == "marvel")
    }

    @Test(arguments: [
        Duration.zero, .seconds(315_576_000_000) + .nanoseconds(999_999_999), .seconds(-315_576_000_000),
        .nanoseconds(-1), .nanoseconds(1),
    ])
    func everyDurationOfTheWireIsRead(age: Duration) throws {
        let response = GetCharacterResponse(character: nil, freshness: Freshness(source: .cache, age: age))
        #expect(try GetCharacterResponse(decoding: response.encoded(), limit: .response).freshness.age == age)
    }

    @Test func aDurationLosesWhatIsShorterThanANanosecond() throws {
        let message = GoAwayMessage(lastStreamID: 1, reason: "", retryAfter: Duration(attoseconds: 1_999_999_999))
        let decoded = try GoAwayMessage(decoding: message.encoded(), limit: .response)
        #expect(decoded.retryAfter == .nanoseconds(1))
    }

    @Test func aMessageLargerThanAnyBlockOfTheArenaIsEncoded() throws {
        let long = String(repeating: "0123456789", count: 300_000)
        let urls = (0..<1000).map { CharacterURL(type: "detail", url: "page \($0)") }
        let character = MarvelCharacter(id: 1, name: "A", description: long, urls: urls)
        #expect(try MarvelCharacter(decodingWireForm: character.encodedWireForm()) == character)
    }

    /// Each takes four bytes of the arena's block, which is 1,024 bytes, and ten on the wire.
    @Test(arguments: [1, 100, 230, 240, 250, 256, 300])
    func negativeNumbersThatFillTheFirstBlockAreEncoded(count: Int) throws {
        let matches = Array(repeating: MatchValue(rawValue: -1), count: count)
        let response = SuggestNamesResponse(matches: matches)
        #expect(try SuggestNamesResponse(decoding: response.encoded(), limit: .response) == response)
    }
}
