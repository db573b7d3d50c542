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

    @Test(arguments: MessageKind.all)
    func damagedBytesNeverCrash(kind: MessageKind) {
        var random = SplitMix64(seed: 2099)
        for _ in 0..<400 {
            var bytes = kind.example(&random).bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damage(&bytes, with: &random)
            }
            decodes(ByteBuffer(bytes: bytes), as: kind)
        }
    }

    @Test(arguments: MessageKind.all)
    func noiseNeverCrashes(kind: MessageKind) {
        var random = SplitMix64(seed: 3030)
        for _ in 0..<400 {
            decodes(random.payload(), as: kind)
        }
    }

    private func damage(_ bytes: inout [UInt8], with random: inout SplitMix64) {
        let position = Int.random(in: 0...bytes.count, using: &random)
        let byte = UInt8.random(in: .min ... .max, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.insert(byte, at: position)
        case 1: bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF, 0x0F], at: position)
        case 2 where position < bytes.count: bytes.remove(at: position)
        default: if position < bytes.count { bytes[position] = byte }
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
        ("field number 0", "00 00"),
        ("a start of a group", "0b"),
        ("a whole group", "0b 1001 0c"),
        ("an end of a group", "0c"),
        ("wire type 6", "0e"),
        ("wire type 7", "0f"),
        ("a fixed64 cut short", "f901 01020304050607"),
        ("a fixed32 cut short", "fd01 010203"),
        ("text as a varint", "0801"),
        ("a number as text", "1201 61"),
        ("a number as fixed32", "15 01020304"),
    ])
    func bytesThatAreNoMessageAreMalformed(what: String, hex: String) {
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
    ])
    func whatProtobufToleratesIsTolerated(what: String, hex: String, expected: SearchCharactersRequest) throws {
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

    /// Where libprotobuf-c falls short of protobuf: fields that only the earlier one sets are lost if they are numbers.
    @Test func ofAMessageFieldThatComesTwiceTheLaterOneCounts() throws {
        let response = try GetCharacterResponse(
            decoding: ByteBuffer(hex: "0a05 0801 1201 61 0a05 0802 1201 62"),
            limit: .response
        )
        #expect(response.character == MarvelCharacter(id: 2, name: "b"))
    }

    @Test(arguments: [-1, 1_000_000_000, Int32.min, Int32.max])
    func aTimestampWithNanosecondsThatAreNoneIsRefused(nanoseconds: Int32) {
        let nanos = RawField.number(2, UInt64(bitPattern: Int64(nanoseconds)))
        let bytes = ByteBuffer(bytes: RawField.bytes(4, nanos))
        #expect(throws: WireError.invalidValue(field: "modified.nanos")) {
            try MarvelCharacter(decodingWireForm: bytes)
        }
    }

    /// A length of time near 2^63 seconds overflowed where it was written again.
    @Test(arguments: [
        (315_576_000_001, 0, "seconds"), (-315_576_000_001, 0, "seconds"), (Int64.max, 2_000_000_000, "seconds"),
        (Int64.min, -1, "seconds"), (0, 1_000_000_000, "nanos"), (1, Int32.min, "nanos"),
    ])
    func aLengthOfTimeThatIsNoneIsRefused(seconds: Int64, nanoseconds: Int32, field: String) throws {
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

    @Test func theLongestLengthOfTimeIsTaken() throws {
        let longest = Duration.seconds(315_576_000_000) + .nanoseconds(999_999_999)
        let message = GoAwayMessage(lastStreamID: 1, reason: "", retryAfter: longest)
        #expect(try GoAwayMessage(decoding: message.encoded(), limit: .response) == message)
    }

    @Test func aFavoriteWithoutItsCharacterIsRefused() {
        #expect(throws: WireError.invalidValue(field: "evicted[0].character")) {
            try ToggleFavoriteResponse(decoding: ByteBuffer(hex: "1a00"), limit: .response)
        }
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
