import Foundation
import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

/// Bytes that no encoder writes: an error or tolerance, as protobuf has it, and never a crash.
struct HostileBytesTests {
    /// Decodes, and if that succeeds the value must be one that encodes and decodes again.
    @discardableResult
    private func decodes(_ bytes: ByteBuffer, as kind: MessageKind) -> Bool {
        for limit in [DecodingLimit.request, .response, .envelope] {
            guard let again = try? kind.recode(bytes, limit) else { return false }
            #expect((try? kind.recode(again, .response)) == again)
        }
        return true
    }

    @Test(arguments: MessageKind.all)
    func aMessageCutAtAnyByteIsHandled(kind: MessageKind) {
        var random = SplitMix64(seed: 7)
        for _ in 0..<10 {
            let bytes = kind.example(&random)
            var refused = 0
            for length in 0..<bytes.readableBytes {
                let cut = bytes.getSlice(at: 0, length: length) ?? ByteBuffer()
                if !decodes(cut, as: kind) { refused += 1 }
            }
            // A cut between two fields is a shorter message; a cut inside one is none.
            #expect(refused > 0 || bytes.readableBytes < 2)
        }
    }

    @Test(arguments: [
        ("a tag and nothing", "0a"),
        ("a length and nothing", "0a05"),
        ("a length past the end", "0a05 61626364"),
        ("a length past the end by one, in the second field", "0a0161 0a02 61"),
        ("a length of 2^31", "0a 8080808008 61"),
        ("a length of 2^32 - 1", "0a ffffffff0f 61"),
        ("a length that wraps 32 bits with its header", "0a fbffffff0f 61"),
        ("a length of ten bytes", "0a ffffffffffffffffff01 61"),
        ("a varint without end", "10 ffffffffffffffffffff"),
        ("a varint of eleven bytes", "10 8080808080808080808001"),
        ("a varint cut short", "10 80"),
        ("a tag of six bytes", "8080808080 01 00"),
        ("a tag of more than 32 bits", "f8ffffff1f 01"),
        ("field number 0", "00 00"),
        ("field number 0 in two bytes", "8000 00"),
        ("field number 0 as text", "8200 01 61"),
        ("a start of a group", "0b"),
        ("a group with the end of another", "a306 b406"),
        ("a group in a group that does not end", "a306 a306 a406"),
        ("field number 0 in a group", "a306 0001 a406"),
        ("a cut field in a group", "a306 0a05 a406"),
        ("an end of a group", "0c"),
        ("wire type 6", "0e"),
        ("wire type 7", "0f"),
        ("a fixed64 cut short", "f901 01020304050607"),
        ("a fixed32 cut short", "fd01 010203"),
    ])
    func bytesThatAreNotAMessageAreMalformed(what: String, hex: String) {
        let bytes = ByteBuffer(hex: hex)
        let expected = WireError.malformed(SearchCharactersRequest.fullName, byteCount: bytes.readableBytes)
        #expect(throws: expected, "\(what)") { try SearchCharactersRequest(decoding: bytes, limit: .request) }
    }

    @Test(arguments: [
        ("an unknown field", "d2 06 01 78", SearchCharactersRequest(query: "")),
        ("an unknown field between two", "0a0161 d006 05 1803", SearchCharactersRequest(query: "a", pageSize: 3)),
        ("an unknown fixed64 and fixed32", "f901 0102030405060708 fd01 01020304", SearchCharactersRequest(query: "")),
        ("a singular field twice: the last wins", "0a0161 0a0162", SearchCharactersRequest(query: "b")),
        ("fields in another order", "1803 0a0161", SearchCharactersRequest(query: "a", pageSize: 3)),
        ("a varint longer than it need be", "18 8380 00", SearchCharactersRequest(query: "", pageSize: 3)),
        (
            "an int32 of more than 32 bits: the low ones", "18 8380808010",
            SearchCharactersRequest(query: "", pageSize: 3)
        ),
        ("a negative int32", "18 ffffffffffffffffff01", SearchCharactersRequest(query: "", pageSize: -1)),
        ("an unknown enum value", "1063", SearchCharactersRequest(query: "", match: MatchValue(rawValue: 99))),
        (
            "a negative enum value", "10 ffffffffffffffffff01",
            SearchCharactersRequest(query: "", match: MatchValue(rawValue: -1))
        ),
        ("the largest field number", "f8ffffff0f 01", SearchCharactersRequest(query: "")),
        ("a group", "0a0161 a306 0a0162 a406 1803", SearchCharactersRequest(query: "a", pageSize: 3)),
        ("a group in a group", "a306 ab06 0801 ac06 a406 0a0161", SearchCharactersRequest(query: "a")),
        ("a group of a known number", "0a0161 0b 1001 0c", SearchCharactersRequest(query: "a")),
        ("text as a varint, which is an unknown field", "0a0161 0801", SearchCharactersRequest(query: "a")),
        ("a number as text", "0a0161 1201 61", SearchCharactersRequest(query: "a")),
        ("a number as fixed32", "15 01020304", SearchCharactersRequest(query: "")),
    ])
    func everyFormThatProtobufAcceptsIsAccepted(what: String, hex: String, expected: SearchCharactersRequest) throws {
        #expect(try SearchCharactersRequest(decoding: ByteBuffer(hex: hex), limit: .request) == expected, "\(what)")
    }

    @Test func numbersArePackedOrNot() throws {
        let packed = try SearchCharactersResponse(decoding: ByteBuffer(hex: "2203 010203"), limit: .response)
        let single = try SearchCharactersResponse(decoding: ByteBuffer(hex: "2001 2002 2201 03"), limit: .response)
        #expect(packed.favoriteIDs == [1, 2, 3])
        #expect(single.favoriteIDs == [1, 2, 3])
        #expect(throws: WireError.self) {
            try SearchCharactersResponse(decoding: ByteBuffer(hex: "2202 0180"), limit: .response)
        }
    }

    /// Groups nest up to 100 deep, in any decoder.
    @Test(arguments: [(100, true), (101, false), (10_000, false)])
    func groupsNestUpToALimit(depth: Int, isTaken: Bool) {
        let group =
            [[UInt8]](repeating: [0xA3, 0x06], count: depth) + [[UInt8]](repeating: [0xA4, 0x06], count: depth)
        let bytes = ByteBuffer(bytes: group.flatMap(\.self))
        #expect(((try? SearchCharactersRequest(decoding: bytes, limit: .request)) != nil) == isTaken)
    }

    // MARK: Fields that occur twice

    /// The fields of both occurrences count, and the later one of those that both have.
    @Test(arguments: [
        (
            "the numbers of the first stay",
            "0a0b 08f9ffffffffffffffff01 0a05 1203 416e74", MarvelCharacter(id: -7, name: "Ant")
        ),
        ("the later value counts", "0a05 0801 1201 61 0a05 0802 1201 62", MarvelCharacter(id: 2, name: "b")),
        ("0 counts too", "0a05 0801 1201 61 0a02 0800", MarvelCharacter(id: 0, name: "a")),
        ("an empty occurrence", "0a05 0801 1201 61 0a00", MarvelCharacter(id: 1, name: "a")),
        ("a group between", "0a02 0801 a306 a406 0a03 1201 61", MarvelCharacter(id: 1, name: "a")),
        (
            "a message in both",
            "0a06 2a04 0a02 7878 0a09 0807 2a05 1203 6a7067",
            MarvelCharacter(id: 7, name: "", thumbnail: Thumbnail(path: "xx", fileExtension: "jpg"))
        ),
        (
            "repeated fields are joined",
            "0a07 5205 0a03 616263 0a05 5203 1201 75",
            MarvelCharacter(
                id: 0,
                name: "",
                urls: [CharacterURL(type: "abc", url: ""), CharacterURL(type: "", url: "u")]
            )
        ),
    ])
    func aMessageThatOccursTwiceIsMerged(what: String, hex: String, character: MarvelCharacter) throws {
        let response = try GetCharacterResponse(decoding: ByteBuffer(hex: hex), limit: .response)
        #expect(response.character == character, "\(what)")
    }

    /// The second occurrence of the character has no fields.
    @Test func theFirstOccurrenceKeepsItsNumbers() throws {
        let hex = "0a2208f9ffffffffffffffff011205206c6561642a030a017030fdffffffffffffffff010a00"
        let request = try CreateCharacterRequest(decoding: ByteBuffer(hex: hex), limit: .requestWithPicture)
        let character = try #require(request.character)
        #expect((character.id, character.name, character.comicCount) == (-7, " lead", -3))
        #expect(character.thumbnail == Thumbnail(path: "p", fileExtension: ""))
    }

    /// Another field of a oneof ends what was set before. One that comes back starts over.
    @Test(arguments: [
        ("0a02 1803 1202 0805 0a02 1005", "0a02 1005"), ("0a02 1803 0a02 1005", "0a04 1803 1005"),
        ("0a02 1803 1a02 0807", "1a02 0807"), ("1a02 0807 0a02 1803 1a00", "1a00"),
    ])
    func aFieldOfAOneofEndsTheOthers(hex: String, same: String) throws {
        let response = try WatchFavoritesResponse(decoding: ByteBuffer(hex: hex), limit: .response)
        #expect(response.event != nil)
        #expect(try response == WatchFavoritesResponse(decoding: ByteBuffer(hex: same), limit: .response))
    }

    /// Nobody sees the text, but the bytes are no encoding of the message.
    @Test(arguments: [
        ("0a01 ff 0a01 61", "query"), ("0a01 61 0a01 c3 0a01 61", "query"),
    ])
    func textThatALaterOneReplacesIsUTF8(hex: String, field: String) {
        #expect(throws: WireError.invalidText(field: field)) {
            try SearchCharactersRequest(decoding: ByteBuffer(hex: hex), limit: .request)
        }
        #expect(throws: WireError.invalidText(field: "character.name")) {
            try GetCharacterResponse(decoding: ByteBuffer(hex: "0a03 1201 ff 0a03 1201 61"), limit: .response)
        }
        #expect(throws: WireError.invalidText(field: "file_by_filename")) {
            try ServerReflectionRequest(decoding: ByteBuffer(hex: "1a01 ff 2201 61"), limit: .request)
        }
    }

    /// Bytes may be any, also those that are replaced.
    @Test func bytesThatLaterOnesReplaceMayBeAny() throws {
        let request = try RequestEnvelope(decoding: ByteBuffer(hex: "1a01 ff 1a01 61"), limit: .envelope)
        #expect(request.payload == ByteBuffer(bytes: [0x61]))
    }

    @Test(arguments: [-1, 1_000_000_000, Int32.min, Int32.max])
    func aTimestampWithInvalidNanosecondsIsRefused(nanoseconds: Int32) {
        let nanos = RawField.number(2, UInt64(bitPattern: Int64(nanoseconds)))
        let bytes = ByteBuffer(bytes: RawField.bytes(4, nanos))
        #expect(throws: WireError.invalidValue(field: "modified.nanos")) {
            try MarvelCharacter(decodingWireForm: bytes)
        }
    }

    /// Such a time ended a gateway that showed it.
    @Test(arguments: [Int64.min, -62_135_596_801, 253_402_300_800, .max])
    func aTimestampOutsideOfTheCalendarIsRefused(seconds: Int64) {
        let bytes = ByteBuffer(bytes: RawField.bytes(4, RawField.number(1, UInt64(bitPattern: seconds))))
        #expect(throws: WireError.invalidValue(field: "modified.seconds")) {
            try MarvelCharacter(decodingWireForm: bytes)
        }
    }

    /// A length of time near 2^63 seconds overflowed where it was written again.
    @Test(arguments: [
        (315_576_000_001, 0, "seconds"), (-315_576_000_001, 0, "seconds"), (Int64.max, 2_000_000_000, "seconds"),
        (Int64.min, -1, "seconds"), (0, 1_000_000_000, "nanos"), (1, Int32.min, "nanos"),
    ])
    func anInvalidLengthOfTimeIsRefused(seconds: Int64, nanoseconds: Int32, field: String) throws {
        let duration =
            RawField.number(1, UInt64(bitPattern: seconds)) + RawField.number(2, UInt64(bitPattern: Int64(nanoseconds)))
        let goAway = ByteBuffer(bytes: RawField.bytes(3, duration))
        #expect(throws: WireError.invalidValue(field: "retry_after.\(field)")) {
            try GoAwayMessage(decoding: goAway, limit: .response)
        }
        // The error that carries it is still the error.
        let retryInfo = RawField.bytes(1, duration)
        let detail = RawField.bytes(1, Array("x/google.rpc.RetryInfo".utf8)) + RawField.bytes(2, retryInfo)
        let status = ByteBuffer(bytes: RawField.number(1, 8) + RawField.bytes(3, detail))
        let error = try RPCError(decodingStatus: status, limit: .response)
        #expect(error.details == [.other(typeURL: "x/google.rpc.RetryInfo", value: retryInfo)])
        #expect(error.retryDelay == nil)
    }

    @Test func aFavoriteWithoutItsCharacterIsRefused() {
        #expect(throws: WireError.invalidValue(field: "evicted[0].character")) {
            try ToggleFavoriteResponse(decoding: ByteBuffer(hex: "1a00"), limit: .response)
        }
    }

    @Test func aFavoriteWithoutItsTimeIsShown() throws {
        let list = try ListFavoritesResponse(decoding: ByteBuffer(hex: "0a07 0a05 0801 1201 61 1003"), limit: .response)
        let character = MarvelCharacter(id: 1, name: "a")
        #expect(list.favorites == [Favorite(character: character, savedAt: Timestamp(seconds: 0))])
        #expect(list.revision == 3)
    }

    /// CVE-2022-33070: a shift of a signed byte while a tag of five bytes is read. CVE-2022-48468: the length of a
    /// string minus its header wraps below zero.
    @Test(
        arguments: MessageKind.all,
        [
            "f8ffffff7f 01", "ffffffffff", "f8ffffffff 00", "8080808078 00", "faffffff0f 00", "faffffff0f ffffffff0f",
            "0a8080808000", "0a 80", "0a 8000", "128080808000", "0a00 0a 8080808000", "1a 8080808000", "2a ffffffff07",
        ]
    )
    func inputsOfKnownFaultsAreHandled(kind: MessageKind, hex: String) {
        decodes(ByteBuffer(hex: hex), as: kind)
    }

    /// A recursive message would overflow the stack; ours pass over what lies too deep. A small stack shows it.
    @Test func nestingBombsDoNotReachTheEndOfASmallStack() async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                for number in UInt32(1)...10 {
                    let bomb = nestingBomb(field: number, depth: 10_000)
                    for kind in MessageKind.all {
                        self.decodes(bomb, as: kind)
                    }
                }
                continuation.resume()
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
    }
}

/// A field in itself, so many times, each with its true length.
private func nestingBomb(field: UInt32, depth: Int) -> ByteBuffer {
    var reversed: [UInt8] = []
    for _ in 0..<depth {
        let header = RawField.tag(field, wireType: 2) + RawField.varint(UInt64(reversed.count))
        reversed.append(contentsOf: header.reversed())
    }
    return ByteBuffer(bytes: reversed.reversed())
}
