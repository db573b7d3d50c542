import CMarvelMessages
import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

/// The memory that the bytes of a peer can cost.
struct MemoryBudgetTests {
    /// Elements of the fewest bytes that a repeated field can have: a tag, and 0 as a length or as a number.
    private func flood(_ path: FieldPath, byteCount: Int) -> ByteBuffer {
        let isNumber = path.field.message == nil && !path.field.isBytes
        let element = RawField.tag(path.field.number, wireType: isNumber ? 0 : 2) + [0]
        let elements = [UInt8](repeatElement(element, count: byteCount / element.count).joined())
        return ByteBuffer(bytes: RawField.nested(path.numbers, elements))
    }

    @Test(arguments: MessageKind.all)
    func everyRepeatedFieldFilledWithTheSmallestElementsIsRefused(kind: MessageKind) throws {
        for path in try #require(kind.schema).paths where path.field.isRepeated {
            for limit in [DecodingLimit.request, .response, .envelope] {
                let bytes = flood(path, byteCount: 64 * 1024)
                let error = #expect(throws: WireError.self, "\(path.name)") { try kind.recode(bytes, limit) }
                guard case .tooMuchMemory = error else {
                    Issue.record("\(path.name): \(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test func unknownFieldsAreUnderTheBudgetToo() {
        let bytes = ByteBuffer(bytes: [UInt8](repeatElement(RawField.number(100, 0), count: 30_000).joined()))
        let expected = WireError.tooMuchMemory(
            HealthCheckRequest.fullName,
            byteCount: 90_000,
            budget: 1024 * 1024
        )
        #expect(throws: expected) { try HealthCheckRequest(decoding: bytes, limit: .request) }
    }

    @Test(arguments: [(0, 4096), (100, 5696), (65_280, 1_048_576), (4 * 1024 * 1024, 1_048_576)])
    func aRequestGetsSixteenTimesItsSizeAndAMebibyteAtMost(byteCount: Int, budget: Int) {
        #expect(DecodingLimit.request.budget(forByteCount: byteCount) == budget)
        #expect(DecodingLimit.requestWithPicture.budget(forByteCount: byteCount) == budget + byteCount)
        let envelope = min(budget + 8 * 1024, 1_048_576)
        #expect(DecodingLimit.envelope.budget(forByteCount: byteCount) == envelope + byteCount)
    }

    /// The fewest bytes that a pair can have, as often as it may be there.
    @Test(arguments: [("", ""), ("k", ""), ("", "v")])
    func metadataOfTheMostAndSmallestPairsIsDecoded(_ key: String, _ value: String) throws {
        var request = RequestEnvelope(service: "s", method: "m")
        for _ in 0..<Metadata.maximumPairs { request.metadata.append(key, value) }
        #expect(try RequestEnvelope(decoding: request.encoded(), limit: .envelope) == request)
        request.metadata.append(key, value)
        let expected = WireError.metadataTooLarge(pairs: 65, bytes: 65 * (key.utf8.count + value.utf8.count))
        #expect(throws: expected) { try RequestEnvelope(decoding: request.encoded(), limit: .envelope) }
    }

    @Test func anAnswerOfFourMebibytesIsDecodedAndOneByteMoreIsNot() throws {
        let overhead = 5
        let longest = DecodingLimit.maximumByteCount - overhead
        let payload = ByteBuffer(repeating: 1, count: longest)
        let bytes = ResponseEnvelope(payload: payload).encoded()
        #expect(bytes.readableBytes == DecodingLimit.maximumByteCount)
        #expect(try ResponseEnvelope(decoding: bytes, limit: .response).payload == payload)

        var longer = bytes
        longer.writeInteger(UInt8(0))
        let expected = WireError.tooLarge(
            ResponseEnvelope.fullName,
            byteCount: DecodingLimit.maximumByteCount + 1,
            maximum: DecodingLimit.maximumByteCount
        )
        #expect(throws: expected) { try ResponseEnvelope(decoding: longer, limit: .response) }
    }

    @Test func anEnvelopeWithThePayloadOfAWholeFrameIsRead() throws {
        let payload = ByteBuffer(repeating: 1, count: DecodingLimit.maximumByteCount - 100)
        let request = RequestEnvelope(service: "s", method: "m", payload: payload)
        #expect(try RequestEnvelope(decoding: request.encoded(), limit: .envelope) == request)
    }

    /// The other side of the budget: what the service really sends stays far from it.
    @Test func aHundredOfTheShortestRealCharactersAreDecoded() throws {
        let characters = (0..<100).map { MarvelCharacter(id: 1_009_000 + $0, name: "Blade", comicCount: 1) }
        let page = SearchCharactersResponse(characters: characters, total: 100, favoriteIDs: characters.map(\.id))
        #expect(try SearchCharactersResponse(decoding: page.encoded(), limit: .response) == page)
    }

    /// Each budget below the needed one refuses another allocation.
    @Test(arguments: MessageKind.all)
    func aRefusedAllocationIsAnError(kind: MessageKind) throws {
        let descriptor = try #require(kind.descriptor())
        var random = SplitMix64(seed: 41)
        for _ in 0..<5 {
            let bytes = kind.example(&random)
            var budget = 0
            while !unpacks(bytes, as: descriptor, within: budget) { budget += 8 }
            #expect(budget > 0)
        }
    }

    private func unpacks(
        _ bytes: ByteBuffer,
        as descriptor: UnsafePointer<ProtobufCMessageDescriptor>,
        within budget: Int
    ) -> Bool {
        DecodingMemory.with(byteCount: budget) { memory in
            memory.withAllocator { allocator in
                bytes.withUnsafeReadableBytes { bytes in
                    let start = bytes.bindMemory(to: UInt8.self).baseAddress
                    return protobuf_c_message_unpack(descriptor, allocator, bytes.count, start) != nil
                }
            }
        }
    }

    @Test func aBudgetRefusesSizesThatOverflowed() {
        DecodingMemory.with(byteCount: 1024) { memory in
            let refused = memory.withAllocator { allocator in
                allocator.pointee.alloc(allocator.pointee.allocator_data, .max) == nil
                    && allocator.pointee.alloc(allocator.pointee.allocator_data, Int(bitPattern: UInt.max)) == nil
            }
            let isExceeded = memory.isExceeded
            #expect(refused && isExceeded)
        }
    }

    /// The block on the stack is used up after a kilobyte; what comes from elsewhere must not overlap it.
    @Test func memoryLentTwiceIsNotTheSame() {
        DecodingMemory.with(byteCount: 1 << 20) { memory in
            memory.withAllocator { allocator in
                var lent: [UnsafeMutableRawBufferPointer] = []
                for size in [0, 1, 15, 16, 17, 500, 400, 100, 5000, 3, 64] {
                    let start = allocator.pointee.alloc(allocator.pointee.allocator_data, size)
                    #expect(start != nil && Int(bitPattern: start) % 16 == 0)
                    let piece = UnsafeMutableRawBufferPointer(start: start, count: size)
                    piece.initializeMemory(as: UInt8.self, repeating: UInt8(lent.count))
                    lent.append(piece)
                }
                for (number, piece) in lent.enumerated() {
                    #expect(piece.allSatisfy { $0 == UInt8(number) })
                }
            }
        }
    }
}
