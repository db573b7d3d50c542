import MarvelDomain
import NIOCore
import Testing

@testable import WireMessages

/// Reading a request in place gives what libprotobuf-c gives, or nothing.
struct PlainMessageTests {
    /// A type of request, with its type forgotten.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let example: @Sendable (inout SplitMix64) -> ByteBuffer
        /// Whether bytes are read in place; nil if libprotobuf-c does not read the same.
        let isRead: @Sendable (ByteBuffer) -> Bool?

        init?(_ type: any WireMessage.Type) {
            guard let type = type as? any PlainMessage.Type else { return nil }
            self.init(plain: type)
        }

        private init<Message: PlainMessage>(plain type: Message.Type) {
            testDescription = type.fullName
            example = { random in random.encoding(of: Message.descriptor) }
            isRead = { bytes in
                guard let plain = Message(plain: bytes) else { return false }
                let library = try? Message(unpackingReadableBytesOf: bytes, name: Message.fullName, limit: .request)
                return plain == library ? true : nil
            }
        }

        static let all = GeneratedMessages.all.compactMap { Kind($0) }
    }

    @Test func theRequestsOfFrequentCallsAreReadInPlace() {
        let names = Kind.all.map(\.testDescription)
        let frequent = ["SearchCharacters", "GetCharacter", "ListFavorites", "ToggleFavorite", "SuggestNames"]
        for name in frequent { #expect(names.contains("marvel.v1.\(name)Request")) }
        #expect(names.contains(HealthCheckRequest.fullName))
    }

    @Test(arguments: Kind.all)
    func readingInPlaceMatchesTheLibrary(kind: Kind) {
        var random = SplitMix64(seed: 21)
        var count = 0
        for _ in 0..<4_000 {
            let example = kind.example(&random)
            let others = [random.damaged(example), Self.fields(&random), Self.noise(&random)]
            for isRead in ([example] + others).map(kind.isRead) {
                #expect(isRead != nil)
                if isRead == true { count += 1 }
            }
        }
        #expect(count > 40)
    }

    /// Makes fields in the order of their numbers, each a text or a number.
    private static func fields(_ random: inout SplitMix64) -> ByteBuffer {
        var bytes = ByteBuffer()
        for number in 0..<UInt8.random(in: 0...8, using: &random) where Bool.random(using: &random) {
            if Bool.random(using: &random) {
                let length = UInt8.random(in: 0...20, using: &random)
                bytes.writeInteger((number + 1) << 3 | 2)
                bytes.writeInteger(length)
                bytes.writeBytes((0..<length).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) })
            } else {
                bytes.writeInteger((number + 1) << 3)
                for _ in 0..<Int.random(in: 0...9, using: &random) {
                    bytes.writeInteger(UInt8.random(in: 0x80...0xFF, using: &random))
                }
                bytes.writeInteger(UInt8.random(in: 0...0x7F, using: &random))
            }
        }
        return bytes
    }

    /// Few different bytes, so that tags, lengths and long numbers occur often.
    private static func noise(_ random: inout SplitMix64) -> ByteBuffer {
        let bytes: [UInt8] = [0, 1, 2, 0x08, 0x0A, 0x10, 0x12, 0x18, 0x1A, 0x20, 0x22, 0x61, 0x7F, 0x80, 0x81, 0xFF]
        let length = Int.random(in: 0...24, using: &random)
        return ByteBuffer(bytes: (0..<length).map { _ in bytes[Int.random(in: 0..<16, using: &random)] })
    }

    @Test(arguments: [
        ("", SearchCharactersRequest()),
        ("0a03 687562", SearchCharactersRequest(query: "hub")),
        ("0a03 687562 1003 1814 3001", SearchCharactersRequest(query: "hub", match: .fuzzy, pageSize: 20, maxPages: 1)),
        ("0a00 10ffffffff07 3a02 6162", SearchCharactersRequest(match: MatchValue(rawValue: .max), list: "ab")),
        ("1881 8000", SearchCharactersRequest(pageSize: 1)),
        ("4a0a 0a02 6964 0a04 6e616d65", SearchCharactersRequest(readMask: ["id", "name"])),
        ("4a00", SearchCharactersRequest(readMask: [])),
    ])
    func theCommonFormIsReadInPlace(hex: String, request: SearchCharactersRequest) {
        #expect(SearchCharactersRequest(plain: ByteBuffer(hex: hex)) == request)
    }

    @Test(arguments: [
        "18ffffffffffffffffff01",  // a negative number
        "1880 8080 8008",  // a number beyond 32 bits
        "1801 0a01 61",  // out of order
        "0a01 61 0a01 61",  // a field twice
        "8a00 01 61",  // a tag of two bytes
        "0801",  // another wire type
        "5001",  // an unknown field
        "4a06 0a02 6964 0a00",  // a mask with an empty path
        "4a04 0a03 6964",  // a mask that is cut
        "0b 0c",  // a group
        "0a02 61",  // cut
        "0a81 8080 8000 61",  // a length of five bytes
        "0a02 c3a9",  // text that is not ASCII
        "0a01 00",  // a NUL
    ])
    func anyOtherFormIsLeftToTheLibrary(hex: String) {
        #expect(SearchCharactersRequest(plain: ByteBuffer(hex: hex)) == nil)
    }

    @Test func aLongRequestIsLeftToTheLibrary() throws {
        let request = SearchCharactersRequest(query: String(repeating: "a", count: 5000))
        #expect(SearchCharactersRequest(plain: request.encoded()) == nil)
        #expect(try SearchCharactersRequest(decoding: request.encoded(), limit: .request) == request)
    }
}
