import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

/// The beaten track through a request must lead where libprotobuf-c would have led.
struct PlainRequestTests {
    @Test func whatItReadsIsWhatTheLibraryReads() throws {
        var random = SplitMix64(seed: 11)
        var plain = 0
        for _ in 0..<2_000 {
            var envelope = RequestEnvelope(from: &random)
            if Bool.random(using: &random) { envelope.metadata = Metadata() }
            let bytes = envelope.encoded()
            guard let request = PlainRequest(bytes) else {
                #expect(!envelope.metadata.isEmpty || envelope.service.isEmpty || envelope.method.isEmpty)
                continue
            }
            plain += 1
            #expect(request.payload == envelope.payload)
            #expect(request.timeoutNanoseconds == envelope.timeoutNanoseconds)
            #expect(request.calls(Array(envelope.method.utf8), of: Array(envelope.service.utf8)))
            #expect(!request.calls(Array(envelope.service.utf8), of: Array(envelope.method.utf8 + [0])))
        }
        #expect(plain > 500)
    }

    /// Whatever happens to the bytes: if both read them, they read the same.
    @Test func damagedRequestsAreNeverReadInAnotherWay() throws {
        var random = SplitMix64(seed: 12)
        let whole = RequestEnvelope(
            service: "marvel.v1.MarvelService",
            method: "GetCharacter",
            payload: ByteBuffer(bytes: [8, 1]),
            timeoutNanoseconds: 5_000_000_000
        ).encoded()
        for _ in 0..<20_000 {
            var damaged = whole
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0..<damaged.readableBytes, using: &random)
                damaged.setInteger(UInt8.random(in: 0...255, using: &random), at: place)
            }
            damaged.moveWriterIndex(to: Int.random(in: 0...damaged.readableBytes, using: &random))
            guard let plain = PlainRequest(damaged) else { continue }
            // Text that is none is refused by name, and no method has such a name.
            guard let envelope = try? RequestEnvelope(decoding: damaged, limit: .envelope) else {
                #expect(throws: WireError.self) { try RequestEnvelope(decoding: damaged, limit: .envelope) }
                #expect(!plain.calls(Array("GetCharacter".utf8), of: Array("marvel.v1.MarvelService".utf8)))
                continue
            }
            #expect(plain.payload == envelope.payload)
            #expect(plain.timeoutNanoseconds == envelope.timeoutNanoseconds)
            #expect(plain.calls(Array(envelope.method.utf8), of: Array(envelope.service.utf8)))
        }
    }

    @Test(arguments: [
        "0a01 61 12 01 62 2a 00",  // metadata
        "1201 62 0a01 61",  // out of order
        "0a01 61 0a01 61 1201 62",  // a field twice
        "8a00 01 61 1201 62",  // a tag of two bytes
        "0a02 61",  // cut
        "0a01 61 1201 62 20 ffffffffffffffffff02",  // more bits than a number has
        "",
    ])
    func anyOtherFormIsLeftToTheLibrary(hex: String) {
        #expect(PlainRequest(ByteBuffer(hex: hex)) == nil)
    }
}
