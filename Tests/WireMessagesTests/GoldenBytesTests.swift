import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

/// The wire, byte for byte, as Google's protobuf for Python writes it: a change here is a break of the wire. Other messages
/// are written by generated code: `OtherLanguagesTests` and `JSONPeerTests` keep their numbers and their forms.
struct GoldenBytesTests {
    private func expect<Message: WireMessage>(_ message: Message, is hex: String) throws {
        let bytes = ByteBuffer(hex: hex)
        #expect(message.encoded().hex == bytes.hex)
        #expect(try Message(decoding: bytes, limit: .response) == message)
    }

    @Test func bytesOfAPage() throws {
        try expect(
            SearchCharactersResponse(
                characters: [MarvelCharacter(id: 1, name: "A"), MarvelCharacter(id: 2, name: "")],
                total: 300,
                nextPageToken: "t",
                favoriteIDs: [1, 1_009_610],
                attribution: "Data",
                freshness: Freshness(source: .cache, age: .seconds(90) + .nanoseconds(5), isStale: true)
            ),
            is: """
                0a05 0801 1201 41 0a02 0802 10 ac02 1a01 74 2204 01 cacf3d 2a04 44617461
                32 0a 0804 1204 085a 1005 1801
                """
        )
    }

    @Test func bytesOfTheEnvelope() throws {
        var metadata = Metadata()
        metadata.append("k", "v")
        try expect(
            RequestEnvelope(
                service: "marvel.v1.MarvelService",
                method: "GetCharacter",
                payload: ByteBuffer(bytes: [0x08, 0x01]),
                timeoutNanoseconds: 10_000_000_000,
                metadata: metadata
            ),
            is: """
                0a17 6d617276656c2e76312e4d617276656c53657276696365 120c 476574436861726163746572 1a02 0801
                20 80c8afa025 2a06 0a01 6b 1201 76
                """
        )
        try expect(
            RequestEnvelope(service: "", method: "", timeoutNanoseconds: -1),
            is: "20 ffffffffffffffffff01"
        )
        try expect(ResponseEnvelope(payload: ByteBuffer(bytes: [0x08, 0x01])), is: "12 02 0801")
        try expect(
            ResponseEnvelope(status: RPCError(.notFound, "no", origin: .peer)),
            is: "0a06 0805 1202 6e6f"
        )
    }

    @Test(arguments: [
        (
            RPCError(
                .invalidArgument,
                "bad",
                details: [.errorInfo(ErrorInfo(reason: ErrorReason(rawValue: "R"), metadata: ["a": "1"]))],
                origin: .peer
            ),
            "0803 1203 626164 1a43 0a28 \(hex("type.googleapis.com/google.rpc.ErrorInfo"))"
                + "1217 0a01 52 120a 6d617276656c2d727063 1a06 0a01 61 1201 31"
        ),
        (
            RPCError(.unavailable, "", details: [.retryInfo(.seconds(2))], origin: .peer),
            "080e 1a30 0a28 \(hex("type.googleapis.com/google.rpc.RetryInfo")) 1204 0a02 0802"
        ),
        (
            RPCError(
                .invalidArgument,
                "",
                details: [.badRequest([FieldViolation(field: "f", description: "d")])],
                origin: .peer
            ),
            "0803 1a35 0a29 \(hex("type.googleapis.com/google.rpc.BadRequest")) 1208 0a06 0a01 66 1201 64"
        ),
        (
            RPCError(
                .resourceExhausted,
                "",
                details: [.quotaFailure([QuotaViolation(subject: "s", description: "d")])],
                origin: .peer
            ),
            "0808 1a37 0a2b \(hex("type.googleapis.com/google.rpc.QuotaFailure")) 1208 0a06 0a01 73 1201 64"
        ),
    ])
    func anErrorWithItsDetail(error: RPCError, expected: String) throws {
        let bytes = ByteBuffer(hex: expected)
        #expect(error.encodedStatus().hex == bytes.hex)
        #expect(try RPCError(decodingStatus: bytes, limit: .response) == error)
    }
}

private func hex(_ text: String) -> String { ByteBuffer(string: text).hex }
