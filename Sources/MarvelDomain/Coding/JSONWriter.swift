/// A writer of compact JSON on one line, with members in the order given.
///
/// Only this writer escapes text: quotation marks, backslashes, and every control character and line break of Unicode.
/// So no text breaks a line of a log, or sends commands to a terminal. Slashes and other non-ASCII characters are not
/// escaped.
@usableFromInline
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// The place at which the text begins.
    private var start = 0

    package init() {}

    package static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(write)
        return json.bytes
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func reserveCapacity(_ byteCount: Int) { bytes.reserveCapacity(byteCount) }

    /// Begins another text, after the bytes of the last one.
    package mutating func beginText() { start = bytes.count }

    package mutating func removeAll(keepingCapacity: Bool) {
        bytes.removeAll(keepingCapacity: keepingCapacity)
        start = 0
    }

    // MARK: Values

    package mutating func object<Failure>(
        _ write: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        try write(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    package mutating func array<Failure>(
        _ write: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        separate()
        bytes.append(UInt8(ascii: "["))
        try write(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    package mutating func string(_ text: String) {
        separate()
        quote(text)
    }

    /// Writes a number, boolean or null, or any other valid JSON.
    package mutating func json(_ value: String) {
        separate()
        bytes += value.utf8
    }

    package mutating func json(_ value: [UInt8]) {
        separate()
        bytes += value
    }

    /// Writes a part of a value as it is.
    mutating func append(_ part: StaticString) {
        bytes += UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
    }

    mutating func append(_ part: [UInt8]) { bytes += part }

    /// Writes the digits of a number as a part of a value.
    mutating func append(decimal number: Int64) { withDecimalDigits(of: number) { bytes += $0 } }

    // MARK: Members of objects

    package mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a name of letters only.
    mutating func key(plain name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        append("\":")
    }

    package mutating func field(_ name: String, _ text: String) {
        key(name)
        quote(text)
    }

    @inlinable package mutating func field(_ name: String, _ number: some SignedInteger & FixedWidthInteger) {
        field(name, json: String(Int64(number)))
    }

    @usableFromInline package mutating func field(_ name: String, json value: String) {
        key(name)
        bytes += value.utf8
    }

    package mutating func field(_ name: String, json value: [UInt8]) {
        key(name)
        bytes += value
    }

    package mutating func object(_ name: String, _ write: (inout JSONWriter) -> Void) {
        key(name)
        object(write)
    }

    /// `write` is called once for each element, and writes one value.
    package mutating func array<Element>(
        _ name: String,
        _ elements: some Sequence<Element>,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        array { json in for element in elements { write(&json, element) } }
    }

    /// Writes a comma, unless the last byte opens an object or array, or precedes a value.
    private mutating func separate() {
        guard bytes.count > start else { return }
        switch bytes.last {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): return
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    // MARK: Text

    private mutating func quote(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { escape($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var (plain, position) = (0, 0)
        while position < text.count {
            guard JSONWriter.mayNeedEscape(text[position]),
                let (scalar, length) = JSONWriter.scalarToEscape(text[position...])
            else {
                position += 1
                continue
            }
            bytes += UnsafeBufferPointer(rebasing: text[plain..<position])
            bytes += JSONWriter.escape(scalar).utf8
            position += length
            plain = position
        }
        bytes += UnsafeBufferPointer(rebasing: text[plain...])
    }

    /// Whether an escaped scalar may begin with this byte.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        switch byte {
        // Most letters are in these ranges.
        case 0x23...0x5B, 0x5D...0x7E: false
        case 0x00..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F, 0xC2, 0xE2: true
        default: false
        }
    }

    /// The first scalar and its length, if it needs an escape.
    private static func scalarToEscape(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> (scalar: UInt32, length: Int)? {
        let (first, start) = (text[text.startIndex], text.startIndex)
        // U+0080 to U+009F are the control characters of two bytes.
        if first == 0xC2 { return text.count > 1 && text[start + 1] < 0xA0 ? (UInt32(text[start + 1]), 2) : nil }
        guard first == 0xE2 else { return (UInt32(first), 1) }
        // Some programs treat U+2028 and U+2029 as line breaks.
        guard text.count > 2, text[start + 1] == 0x80, text[start + 2] & 0xFE == 0xA8 else { return nil }
        return (0x2000 | UInt32(text[start + 2] & 0x3F), 3)
    }

    private static func escape(_ scalar: UInt32) -> String {
        switch scalar {
        case 0x22: return "\\\""
        case 0x5C: return "\\\\"
        case 0x08: return "\\b"
        case 0x09: return "\\t"
        case 0x0A: return "\\n"
        case 0x0C: return "\\f"
        case 0x0D: return "\\r"
        default:
            return "\\u" + Hexadecimal.text(UInt64(scalar)).suffix(4)
        }
    }
}

/// Calls a body with the decimal digits of a number. Their text would be an object if they are many.
package func withDecimalDigits(of number: Int64, _ body: (UnsafeRawBufferPointer) -> Void) {
    // The longest number has 19 digits and a sign.
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
        var first = digits.count
        var rest = number.magnitude
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        if number < 0 {
            first -= 1
            digits[first] = UInt8(ascii: "-")
        }
        body(UnsafeRawBufferPointer(rebasing: digits[first...]))
    }
}
