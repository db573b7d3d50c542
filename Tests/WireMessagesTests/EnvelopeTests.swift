import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

struct EnvelopeTests {
    @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, 4 * 1024 * 1024])
    func aHeaderAndThePayloadBehindItAreTheEnvelope(byteCount: Int) {
        let payload = ByteBuffer(repeating: 7, count: byteCount)
        var written = ByteBuffer()
        written.write(byteCount: ResponseEnvelope.headerByteCount(payloadByteCount: byteCount)) { writer in
            ResponseEnvelope.writeHeader(payloadByteCount: byteCount, to: &writer)
        }
        written.writeImmutableBuffer(payload)
        #expect(written == ResponseEnvelope(payload: payload).encoded())
    }

    @Test func charactersInARowAndATailAreThePage() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<50 {
            let example = random.encoding(of: SearchCharactersResponse.descriptor)
            let page = try SearchCharactersResponse(decoding: example, limit: .response)
            var tail = page
            tail.characters = []
            var spliced = ByteBuffer()
            for character in page.characters {
                let start = spliced.writerIndex
                SearchCharactersResponse.writeCharacter(character, into: &spliced)
                let name = spliced.withUnsafeReadableBytes { bytes in
                    let element = UnsafeRawBufferPointer(rebasing: bytes[start...])
                    return String(
                        decoding: element[SearchCharactersResponse.nameRange(ofElement: element)],
                        as: UTF8.self
                    )
                }
                #expect(name == character.name)
            }
            tail.encode(into: &spliced)
            #expect(spliced == page.encoded())
            #expect(try SearchCharactersResponse(decoding: spliced, limit: .response) == page)
        }
    }

    @Test(arguments: ["", "Data provided by Marvel."], [0, 1, 3, 50])
    func suggestionsAreAsTheLibraryWritesThem(_ attribution: String, _ count: Int) {
        // A length of 128 has two bytes.
        let names = (0..<count).map { String(repeating: "é", count: $0 == 1 ? 64 : $0) }
        let counts = (prefix: count / 3, wordPrefix: count / 2 - count / 3, fuzzy: count - count / 2)
        let matches: [MatchValue] = names.indices.map { number in
            number < count / 3 ? .prefix : number < count / 2 ? .wordPrefix : .fuzzy
        }
        var spliced = ByteBuffer()
        let nameByteCount = names.reduce(0) { $0 + SuggestNamesResponse.nameByteCount(utf8Count: $1.utf8.count) }
        spliced.write(byteCount: nameByteCount) { writer in
            for name in names {
                Array(name.utf8).withUnsafeBytes { SuggestNamesResponse.writeName($0, to: &writer) }
            }
        }
        let tail = SuggestNamesResponse.Tail(attribution: attribution, counts: counts)
        spliced.write(byteCount: tail.byteCount) { tail.write(to: &$0) }
        let response = SuggestNamesResponse(names: names, attribution: attribution, matches: matches)
        #expect(spliced == response.encoded())
    }

    @Test func theFieldsOfACallAreAsTheLibraryWritesThem() {
        var random = SplitMix64(seed: 6)
        for _ in 0..<200 {
            let token = String(repeating: "t", count: Bool.random(using: &random) ? 28 : 0)
            let count = Int.random(in: 0...12, using: &random)
            let ids = (0..<count).map { _ in Int64.random(in: 1 ... .max, using: &random) }
            let total = Int32.random(in: 0 ... .max, using: &random) >> Int32.random(in: 0...31, using: &random)
            let fields = SearchCharactersResponse.CallFields(
                total: total,
                tokenLength: token.utf8.count,
                favoriteIDs: ids
            )
            var written = ByteBuffer()
            written.write(byteCount: fields.byteCount) { writer in
                fields.write(to: &writer) { writer in for letter in token.utf8 { writer.write(letter) } }
            }
            var page = SearchCharactersResponse(total: total, nextPageToken: token, favoriteIDs: ids).encoded()
            // The library writes an empty Freshness behind them.
            page.moveWriterIndex(to: page.writerIndex - 2)
            #expect(written == page)
        }
    }

    @Test func aStatusOfOKIsNotAnError() throws {
        let response = try ResponseEnvelope(decoding: ByteBuffer(hex: "0a00 1202 0801"), limit: .response)
        #expect(response == ResponseEnvelope(payload: ByteBuffer(bytes: [8, 1])))
    }

    @Test func moreBytesOfMetadataThanTheLimitAreRefused() throws {
        var request = RequestEnvelope(service: "s", method: "m")
        request.metadata.append("key", String(repeating: "v", count: Metadata.maximumBytes - 3))
        #expect(throws: Never.self) { try RequestEnvelope(decoding: request.encoded(), limit: .request) }
        request.metadata.append("", "v")
        #expect(throws: WireError.metadataTooLarge(pairs: 2, bytes: 8193)) {
            try RequestEnvelope(decoding: request.encoded(), limit: .request)
        }
    }

    @Test func thePayloadDoesNotKeepTheFrameAlive() throws {
        let request = RequestEnvelope(service: "s", method: "m", payload: ByteBuffer(string: "payload"))
        let decoded = try RequestEnvelope(decoding: request.encoded(), limit: .request)
        #expect(decoded.payload.readerIndex == 0)
        #expect(decoded.payload == request.payload)
    }

    @Test func unknownFieldsOfANewerHelloArePassedOver() throws {
        let hello = HelloMessage(version: 2, software: "future/9")
        var bytes = hello.encoded()
        bytes.writeBytes(RawField.bytes(99, [1, 2, 3]) + RawField.number(98, 7))
        #expect(try HelloMessage(decoding: bytes, limit: .request) == hello)
    }

    @Test func openEnumsMapToTheDomainAndBack() {
        for match in Match.allCases { #expect(MatchValue(match).match == match) }
        for desired in [Toggle.Desired.toggle, .saved, .removed] { #expect(DesiredValue(desired).desired == desired) }
        #expect(MatchValue(rawValue: 4).match == nil)
        #expect(MatchValue(rawValue: -1).match == nil)
        #expect(DesiredValue(rawValue: 3).desired == nil)
    }

    // MARK: The payload of a call that succeeded

    @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, 3_000_000])
    func aPayloadAloneIsReadWithoutDecoding(_ size: Int) {
        let payload = ByteBuffer(repeating: 0x0A, count: size)
        var bytes = ByteBuffer(string: "before")
        bytes.moveReaderIndex(to: bytes.writerIndex)
        bytes.writeImmutableBuffer(ResponseEnvelope(payload: payload).encoded())
        let read = ResponseEnvelope.payload(ofSuccess: bytes)
        #expect(read == payload)
        #expect(read?.readerIndex == 0 || size == 0)
    }

    @Test(
        arguments: [
            [0x0A, 0x00], [0x12], [0x12, 0x02, 0x61], [0x12, 0x01, 0x61, 0x62], [0x12, 0x80], [0x1A, 0x01, 0x61],
            [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [0x12, 0x01, 0x61, 0x0A, 0x00],
        ] as [[UInt8]]
    )
    func anythingElseIsDecoded(_ bytes: [UInt8]) {
        #expect(ResponseEnvelope.payload(ofSuccess: ByteBuffer(bytes: bytes)) == nil)
    }

    @Test func anErrorIsNotAPayload() {
        let failed = ResponseEnvelope(status: RPCError(.unavailable, "gone")).encoded()
        #expect(ResponseEnvelope.payload(ofSuccess: failed) == nil)
    }
}
