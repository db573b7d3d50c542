import MarvelDomain
import Testing

struct JSONWriterTests {
    @Test func membersKeepTheirOrder() {
        let value: JSONValue = ["b": .integer(.max), "a": .array([.bool(true), .bool(false)]), "c": [:]]
        #expect(value.line == #"{"b":9223372036854775807,"a":[true,false],"c":{}}"#)
        let numbers = JSONValue.array([.number(0.5), .number(.infinity), .number(.nan), .null, "", .array([])])
        #expect(numbers.line == #"[0.5,null,null,null,"",[]]"#)
    }

    @Test func aWriterWritesValuesAndMembers() {
        let json = JSONWriter.object { json in
            json.field("text", "a")
            json.field("number", -7)
            json.array("list", [1, 2]) { json, number in json.json("\(number)") }
            json.array("empty", EmptyCollection<Never>()) { _, _ in }
            json.object("inner") { $0.field("raw", json: Array("{}".utf8)) }
            json.key("after")
            json.string("{")
            json.field("last", json: "null")
        }
        let expected =
            #"{"text":"a","number":-7,"list":[1,2],"empty":[],"inner":{"raw":{}},"after":"{","last":null}"#
        #expect(String(decoding: json, as: UTF8.self) == expected)
    }

    /// No control character, format character or line break is left; every other character stands for itself.
    @Test(arguments: [
        ("é 스 🕷️ \u{A0}\u{2027}", "é 스 🕷️ \u{A0}\u{2027}"), ("\"\\/", #"\"\\/"#),
        ("\u{8}\u{C}\n\r\t", #"\b\f\n\r\t"#), ("\u{0}\u{1B}\u{1F}\u{7F}", #"\u0000\u001b\u001f\u007f"#),
        ("\u{80}\u{85}\u{9B}\u{9F}", #"\u0080\u0085\u009b\u009f"#), ("a\u{2028}b\u{2029}", #"a\u2028b\u2029"#),
        ("<a href='x'>", "<a href='x'>"), ("Thor\u{202E}roht", #"Thor\u202eroht"#),
        ("\u{AD}\u{61C}\u{200B}\u{200F}\u{2066}\u{FEFF}", #"\u00ad\u061c\u200b\u200f\u2066\ufeff"#),
        ("a\u{E0041}", #"a\udb40\udc41"#),
    ])
    func textIsEscaped(_ text: String, _ escaped: String) throws {
        let line = JSONValue.string(text).line
        #expect(line == "\"\(escaped)\"")
        let read = try JSONReader.read(line) { (reader) throws(JSONError) in try reader.string() }
        #expect(read == text)
    }
}

struct JSONReaderTests {
    private func string(_ json: String) -> String? {
        try? JSONReader.read(json) { (reader) throws(JSONError) in try reader.string() }
    }

    @Test func escapesAreRead() {
        #expect(
            string(#" "\"\\\/\b\f\n\r\t\u00e9\u00E9\ud83d\udd77" "#) == "\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{E9}\u{1F577}"
        )
        for wrong in [
            "", #"""#, #""\""#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud800""#, #""\ud800\n""#, #""\udc00""#,
            "\"\n\"",
        ] {
            #expect(string(wrong) == nil, "\(wrong)")
        }
    }

    @Test func bytesThatAreNotTextAreRefused() {
        var reader = JSONReader([0x22, 0xC3, 0x22])
        #expect(throws: JSONError(.invalidText)) { try reader.string() }
    }

    @Test func aLongNameIsCutInAnErrorWhateverItsCharacters() {
        let name = "a" + String(repeating: "\u{301}", count: 1_000)
        #expect(JSONError(.duplicate).inside(name).field.utf8.count < 200)
    }

    @Test func requiredMembersAreMissed() {
        #expect(throws: JSONError(.missing, field: "b")) {
            try JSONReader.read(#"{"a":1}"#) { (reader) throws(JSONError) in
                try reader.object(requiring: ["a", "b"]) { (reader, _) throws(JSONError) in try reader.skipValue() }
            }
        }
    }

    @Test func aSkippedValueHasALimitOfDepth() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError(.tooDeep(maximum: 100))) {
            try JSONReader.read(deep) { (reader) throws(JSONError) in try reader.skipValue() }
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 7, .max])
    func everyIntegerIsRead(_ number: Int64) throws {
        let read = try JSONReader.read("\(number)") { (reader) throws(JSONError) in try reader.int64() }
        #expect(read == number)
    }
}

struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func bytesAreEncoded(_ text: String, _ encoded: String) {
        #expect(Base64.encode(text.utf8) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }
}

struct TimeTextTests {
    @Test(arguments: [
        (Timestamp(seconds: 0), "1970-01-01T00:00:00Z"),
        (Timestamp(seconds: 951_782_400), "2000-02-29T00:00:00Z"),
        (Timestamp(seconds: 1_767_603_072, nanoseconds: 5_000_000), "2026-01-05T08:51:12.005Z"),
        (Timestamp(seconds: 1_767_603_072, nanoseconds: 5_000), "2026-01-05T08:51:12.000005Z"),
        (Timestamp(seconds: 1_767_603_072, nanoseconds: 5), "2026-01-05T08:51:12.000000005Z"),
        (Timestamp(seconds: -1), "1969-12-31T23:59:59Z"),
        (Timestamp(seconds: -62_135_596_800), "0001-01-01T00:00:00Z"),
        (Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999), "9999-12-31T23:59:59.999999999Z"),
    ])
    func momentsAreRFC3339(_ moment: Timestamp, _ text: String) {
        #expect(moment.rfc3339 == text)
        #expect(Timestamp(rfc3339: text) == moment)
    }

    @Test(arguments: [Int64.min, .max])
    func noMomentIsTooFar(_ seconds: Int64) {
        #expect(Timestamp(seconds: seconds).rfc3339.hasSuffix("Z"))
    }

    @Test func millisecondsAreWrittenInAnyCase() {
        #expect(Timestamp(seconds: 0).rfc3339Milliseconds == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp(seconds: 0, nanoseconds: 7_999_999).rfc3339Milliseconds == "1970-01-01T00:00:00.007Z")
        #expect(Timestamp(seconds: -1, nanoseconds: 999_999_999).rfc3339Milliseconds == "1969-12-31T23:59:59.999Z")
    }

    @Test(arguments: [
        (Duration.zero, "0s"), (.seconds(3), "3s"), (.milliseconds(1_500), "1.500s"), (.microseconds(7), "0.000007s"),
        (.nanoseconds(1), "0.000000001s"), (.milliseconds(-1_500), "-1.500s"),
    ])
    func durationsAreProtobufs(_ duration: Duration, _ text: String) {
        #expect(duration.protobufJSON == text)
        #expect(Duration(protobufJSON: text) == duration)
    }
}
