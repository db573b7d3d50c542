import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

/// Invalid text never becomes a key, a query or a name.
struct TextTests {
    /// One of each kind: U+0F73 has class 0, but decomposes into two marks.
    private static let marks = ["\u{301}", "\u{316}", "\u{345}", "\u{5B0}", "\u{F73}", "\u{1D165}"]

    static let notUTF8: [[UInt8]] = [
        // A continuation byte alone, and lead bytes that no longer exist.
        [0x80], [0xBF], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xF8, 0x88, 0x80, 0x80, 0x80],
        // Overlong: '/', NUL, U+07FF, U+FFFF in one byte too many.
        [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0xAF],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xC0, 0x80], [0xE0, 0x80, 0x80],
        // Surrogates, alone and as a pair (CESU-8).
        [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
        // Past U+10FFFF.
        [0xF4, 0x90, 0x80, 0x80],
        // Cut short: 2, 3 and 4 bytes.
        [0xC3], [0xE2, 0x82], [0xE2], [0xF0, 0x9F, 0x98], [0xF0, 0x9F], [0xF0], [0xC3, 0x41],
    ]

    private func textFields(of kind: MessageKind) throws -> [FieldPath] {
        try #require(kind.schema).paths.filter { $0.field.isBytes && !isBinary($0) }
    }

    /// Whether the field holds bytes of any kind: a payload, a picture, a descriptor, or the value of an Any. The value of
    /// a pair is text.
    private func isBinary(_ path: FieldPath) -> Bool {
        ["payload", "data", "file_descriptor_proto"].contains(path.field.name)
            || (path.field.name == "value" && path.messages.last?.name == "details")
    }

    @Test(arguments: MessageKind.all)
    func bytesThatAreNotUTF8AreRefusedInEveryTextField(kind: MessageKind) throws {
        for path in try textFields(of: kind) {
            for bad in TextTests.notUTF8 {
                for text in [bad, Array("abc".utf8) + bad, bad + Array("abc".utf8)] {
                    expectRefusal(of: text, in: path, of: kind)
                }
            }
        }
    }

    @Test(arguments: MessageKind.all)
    func aNULIsRefusedAtEveryPositionOfEveryTextField(kind: MessageKind) throws {
        let text = Array("Spider-Man, Ωmega".utf8)
        for path in try textFields(of: kind) {
            for position in 0...text.count where position == text.count || text[position] & 0xC0 != 0x80 {
                var withNUL = text
                withNUL.insert(0, at: position)
                expectRefusal(of: withNUL, in: path, of: kind)
            }
        }
    }

    private func expectRefusal(of text: [UInt8], in path: FieldPath, of kind: MessageKind) {
        let bytes = ByteBuffer(bytes: RawField.nested(path.numbers, RawField.bytes(path.field.number, text)))
        #expect(throws: WireError.invalidText(field: path.name)) { try kind.recode(bytes, .request) }
    }

    /// The comparison of such a text takes quadratic time.
    @Test(arguments: MessageKind.all)
    func longRunsOfMarksAreRefusedInEveryTextFieldOfARequest(kind: MessageKind) throws {
        for path in try textFields(of: kind) {
            for mark in TextTests.marks {
                let text = "m" + String(repeating: mark, count: CombiningMarks.maximumRun)
                let encoding = { (text: String) in
                    ByteBuffer(
                        bytes: RawField.nested(path.numbers, RawField.bytes(path.field.number, Array(text.utf8)))
                    )
                }
                _ = try kind.recode(encoding(text), .request)
                _ = try kind.recode(encoding(text + mark), .response)
                let field = path.name.replacing("[0]", with: "")
                #expect(throws: WireError.invalidText(field: field)) {
                    try kind.recode(encoding(text + mark), .request)
                }
            }
        }
    }

    @Test func longRunsOfMarksAreRefusedInJSON() throws {
        let translator = try #require(JSONTranslator(SuggestNamesRequest.fullName))
        for mark in TextTests.marks {
            let escaped = mark.utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined()
            for mark in [mark, escaped] {
                let text = "m" + String(repeating: mark, count: CombiningMarks.maximumRun + 1)
                for json in ["{\"query\":\"\(text)\"}", "{\"\(text)\":1}", "{\"nothing\":{\"\(text)\":1}}"] {
                    #expect(throws: WireError.self, "\(json)") { try translator.encoding(of: ByteBuffer(string: json)) }
                }
            }
        }
    }

    @Test func everyTextFieldOfTheServiceIsLookedAt() throws {
        let names = try MessageKind.all.flatMap { kind in try textFields(of: kind).map(\.name) }
        #expect(names.contains("query"))
        #expect(names.contains("metadata[0].value"))
        #expect(names.contains("favorites[0].character.thumbnail.path"))
        #expect(names.contains("characters[0].urls[0].url"))
        #expect(names.contains("status.details[0].type_url"))
        #expect(names.contains("names[0]"))
    }

    @Test func theErrorNamesTheElement() {
        let good = RawField.bytes(1, RawField.bytes(2, Array("ok".utf8)))
        let bad = RawField.bytes(1, RawField.bytes(2, [0xFF]))
        let bytes = ByteBuffer(bytes: good + good + bad)
        #expect(throws: WireError.invalidText(field: "characters[2].name")) {
            try SearchCharactersResponse(decoding: bytes, limit: .response)
        }
        let texts = ByteBuffer(bytes: RawField.bytes(1, Array("ok".utf8)) + RawField.bytes(1, [0]))
        #expect(throws: WireError.invalidText(field: "names[1]")) {
            try SuggestNamesResponse(decoding: texts, limit: .response)
        }
    }
}
