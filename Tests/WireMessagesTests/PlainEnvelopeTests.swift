import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

/// A request that is read in place is read as libprotobuf-c would read it.
struct PlainEnvelopeTests {
    private static let names = [
        ("marvel.v1.MarvelService", "GetCharacter"), ("marvel.v1.MarvelService", "GetCharacters"),
        ("grpc.health.v1.Health", "Check"), ("a", "b"), ("", "c"), ("d", ""),
    ]

    private let prefixes: RequestPrefixes

    init() {
        var prefixes = RequestPrefixes()
        for (service, method) in Self.names { prefixes.append(method, of: service) }
        self.prefixes = prefixes
    }

    private func read(_ bytes: ByteBuffer) -> (service: String, method: String, request: PlainEnvelope)? {
        guard let (number, byteCount) = prefixes.method(ofRequest: bytes),
            let request = PlainEnvelope(bytes, behind: byteCount)
        else { return nil }
        return (Self.names[number].0, Self.names[number].1, request)
    }

    /// Returns whether the bytes are read; then they have to be read as the library reads them.
    private func isReadAsByTheLibrary(_ bytes: ByteBuffer) throws -> Bool {
        guard let (service, method, request) = read(bytes) else { return false }
        let envelope = try RequestEnvelope(decoding: bytes, limit: .response)
        #expect((service, method) == (envelope.service, envelope.method))
        #expect(request.payload == envelope.payload)
        #expect(request.timeoutNanoseconds == envelope.timeoutNanoseconds)
        #expect(envelope.metadata.isEmpty)
        return true
    }

    @Test func aRequestIsReadAsTheLibraryReadsIt() throws {
        var random = SplitMix64(seed: 11)
        var plain = 0
        for _ in 0..<2_000 {
            let example = random.encoding(of: RequestEnvelope.descriptor)
            var envelope = try RequestEnvelope(decoding: example, limit: .response)
            if Bool.random(using: &random) { envelope.metadata = Metadata() }
            let isKnown = Bool.random(using: &random)
            if isKnown, let names = Self.names.randomElement(using: &random) {
                (envelope.service, envelope.method) = names
            }
            if try isReadAsByTheLibrary(envelope.encoded()) {
                plain += 1
            } else {
                #expect(!envelope.metadata.isEmpty || !isKnown)
            }
        }
        #expect(plain > 400)
    }

    @Test(arguments: [
        "0a01 61 12 01 62 2a 00",  // metadata
        "1201 62 0a01 61",  // out of order
        "0a01 61 0a01 61 1201 62",  // a field twice
        "0a01 61 1201 62 1201 62",  // a field twice
        "8a00 01 61 1201 62",  // a tag of two bytes
        "0a8100 61 1201 62",  // a length of two bytes
        "0a02 61",  // cut
        "0a01 61 1201 62 20 ffffffffffffffffff02",  // more bits than a number has
        "",
    ])
    func anotherFormIsLeftToTheLibrary(hex: String) {
        #expect(read(ByteBuffer(hex: hex)) == nil)
    }
}
