/// A reader of JSON (RFC 8259) from bytes, value by value. It holds no tree of values.
///
/// A caller reads the members that it knows by recursion of its own, and skips the others.
package struct JSONReader {
    /// The maximum nesting of a value that is skipped.
    private static let maximumDepth = 100

    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a text that is one value and nothing else.
    package static func read<Value>(
        _ text: String,
        _ readValue: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        var reader = JSONReader(Array(text.utf8))
        let value = try readValue(&reader)
        try reader.expectEnd()
        return value
    }

    /// The kind of a value, by its first byte.
    package enum Start: Sendable {
        case object
        case array
        case string
        case number
        case literal
    }

    private var syntaxError: JSONError { JSONError(.syntax(offset: position)) }

    /// The next byte after white space; nil at the end.
    private mutating func peek() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return bytes[position]
            }
        }
        return nil
    }

    /// Returns the kind of the next value, which is not read yet.
    package mutating func start() throws(JSONError) -> Start {
        guard let byte = peek() else { throw syntaxError }
        switch byte {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .literal
        default: throw syntaxError
        }
    }

    private mutating func require(_ kind: Start, _ expected: String) throws(JSONError) {
        guard try start() == kind else { throw JSONError(.wrongType(expected: expected)) }
    }

    /// Reads a punctuation character if it is the next one.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(JSONError) {
        guard take(character) else { throw syntaxError }
    }

    /// Verifies that only white space is left.
    package mutating func expectEnd() throws(JSONError) {
        guard peek() == nil else { throw syntaxError }
    }
}

// MARK: Objects and arrays

extension JSONReader {
    /// Reads an object.
    ///
    /// - Parameters:
    ///   - required: The names of the members that must be there, at most 64.
    ///   - readMember: Reads the value of a member, whose name it gets.
    /// - Throws: `JSONError` with the path of the member.
    package mutating func object(
        requiring required: [String] = [],
        _ readMember: (inout JSONReader, String) throws(JSONError) -> Void
    ) throws(JSONError) {
        try require(.object, "an object")
        try expect("{")
        // One bit for each required name that was read.
        var found: UInt64 = 0
        if !take("}") {
            repeat {
                let name = try key()
                if let index = required.firstIndex(of: name) { found |= 1 << UInt64(index) }
                do throws(JSONError) {
                    try readMember(&self, name)
                } catch {
                    throw error.inside(name)
                }
            } while take(",")
            try expect("}")
        }
        for (index, name) in required.enumerated() where found & 1 << UInt64(index) == 0 {
            throw JSONError(.missing, field: name)
        }
    }

    /// Reads the name of a member and the colon after it.
    private mutating func key() throws(JSONError) -> String {
        guard peek() == UInt8(ascii: "\"") else { throw syntaxError }
        let name = try string()
        try expect(":")
        return name
    }

    /// Reads an array.
    ///
    /// - Parameter readElement: Reads one element.
    /// - Throws: `JSONError` with the position of the element in its path.
    package mutating func array(
        _ readElement: (inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try require(.array, "an array")
        try expect("[")
        guard !take("]") else { return }
        var index = 0
        repeat {
            do throws(JSONError) {
                try readElement(&self)
            } catch {
                throw error.inside("[\(index)]")
            }
            index += 1
        } while take(",")
        try expect("]")
    }

    /// Reads over a value of any kind, which must be JSON too.
    package mutating func skipValue() throws(JSONError) { try skipValue(depth: 0) }

    private mutating func skipValue(depth: Int) throws(JSONError) {
        guard depth < JSONReader.maximumDepth else { throw JSONError(.tooDeep(maximum: JSONReader.maximumDepth)) }
        switch try start() {
        case .string: _ = try string()
        case .number: _ = try numberText()
        case .literal: if try !takeNull() { _ = try bool() }
        case .array:
            try expect("[")
            guard !take("]") else { return }
            repeat { try skipValue(depth: depth + 1) } while take(",")
            try expect("]")
        case .object:
            try expect("{")
            guard !take("}") else { return }
            repeat {
                _ = try key()
                try skipValue(depth: depth + 1)
            } while take(",")
            try expect("}")
        }
    }
}

// MARK: Literals and numbers

extension JSONReader {
    /// Reads `null` if it is the next value.
    package mutating func takeNull() throws(JSONError) -> Bool {
        guard peek() == UInt8(ascii: "n") else { return false }
        try expectWord("null")
        return true
    }

    package mutating func bool() throws(JSONError) -> Bool {
        switch peek() {
        case UInt8(ascii: "t"):
            try expectWord("true")
            return true
        case UInt8(ascii: "f"):
            try expectWord("false")
            return false
        default:
            _ = try start()
            throw JSONError(.wrongType(expected: "a boolean"))
        }
    }

    private mutating func expectWord(_ word: StaticString) throws(JSONError) {
        let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: letters) else { throw syntaxError }
        position += letters.count
    }

    package mutating func int32() throws(JSONError) -> Int32 { try integer() }
    package mutating func int64() throws(JSONError) -> Int64 { try integer() }

    /// Reads an integer. A fraction of zeros and an exponent are allowed.
    package mutating func integer<Number: FixedWidthInteger>(
        _: Number.Type = Number.self
    ) throws(JSONError) -> Number {
        try require(.number, "an integer")
        let text = try numberText()
        if let number = Number(String(decoding: text, as: UTF8.self)) { return number }
        guard let decimal = Decimal(text) else { throw JSONError(.wrongType(expected: "an integer")) }
        guard let number: Number = decimal.value() else { throw JSONError(.outOfRange) }
        return number
    }

    /// Reads the text of a number: `-1.5e3`.
    private mutating func numberText() throws(JSONError) -> ArraySlice<UInt8> {
        let first = position
        _ = takeByte("-")
        if !takeByte("0") { try skipDigits() }
        if takeByte(".") { try skipDigits() }
        if takeByte("e") || takeByte("E") {
            _ = takeByte("+") || takeByte("-")
            try skipDigits()
        }
        return bytes[first..<position]
    }

    /// Reads a character if it is the next one, without white space before it.
    private mutating func takeByte(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Skips digits, of which there must be one.
    private mutating func skipDigits() throws(JSONError) {
        let first = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        guard position > first else { throw syntaxError }
    }
}

/// A whole number in decimal, of any size: digits and the number of zeros after them.
private struct Decimal {
    private var isNegative = false
    private var digits: [UInt8] = []
    private var zeroCount = 0

    /// - Parameter text: A number of JSON. Nil if it has a fraction that is not zero.
    init?(_ text: ArraySlice<UInt8>) {
        var rest = text
        if rest.first == UInt8(ascii: "-") {
            isNegative = true
            rest = rest.dropFirst()
        }
        let exponent = rest.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
        for byte in rest[..<(exponent ?? rest.endIndex)] where byte != UInt8(ascii: ".") {
            digits.append(byte - UInt8(ascii: "0"))
        }
        if let point = rest.firstIndex(of: UInt8(ascii: ".")) { zeroCount = point + 1 - (exponent ?? rest.endIndex) }
        if let exponent { zeroCount += Decimal.power(rest[(exponent + 1)...]) }
        while digits.last == 0 {
            digits.removeLast()
            zeroCount += 1
        }
        digits = Array(digits.drop { $0 == 0 })
        if digits.isEmpty { zeroCount = 0 }
        if zeroCount < 0 { return nil }
    }

    /// Reads an exponent. Larger ones than the bounds make no number that fits, or none that is whole.
    private static func power(_ text: ArraySlice<UInt8>) -> Int {
        let bound = 1_000_000_000
        guard let power = Int(String(decoding: text, as: UTF8.self)) else {
            return text.first == UInt8(ascii: "-") ? -bound : bound
        }
        return max(-bound, min(power, bound))
    }

    /// The number in a type; nil if it does not fit.
    func value<Number: FixedWidthInteger>() -> Number? {
        guard digits.count + zeroCount <= 20 else { return nil }
        var value: Number = 0
        for digit in digits + Array(repeating: 0, count: zeroCount) {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Number(digit)
            let change = isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            guard !overflow, !change.overflow else { return nil }
            value = change.partialValue
        }
        return value
    }
}

// MARK: Text

extension JSONReader {
    package mutating func string() throws(JSONError) -> String {
        try require(.string, "a string")
        position += 1
        let first = position
        let isASCII = skipPlain()
        // Nearly every text has no escape, and most are ASCII, which needs no validation.
        if takeByte("\"") {
            let text = bytes[first..<(position - 1)]
            return isASCII ? String(decoding: text, as: UTF8.self) : try JSONReader.text(text)
        }
        var text = Array(bytes[first..<position])
        while !takeByte("\"") {
            guard takeByte("\\") else { throw syntaxError }
            try readEscape(into: &text)
            let first = position
            _ = skipPlain()
            text += bytes[first..<position]
        }
        return try JSONReader.text(text[...])
    }

    /// Moves to the next byte that does not stand for itself in a string.
    ///
    /// - Returns: Whether the bytes before it are ASCII.
    private mutating func skipPlain() -> Bool {
        var all: UInt8 = 0
        while position < bytes.count {
            let byte = bytes[position]
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            all |= byte
            position += 1
        }
        return all < 0x80
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw JSONError(.invalidText) }
        return text
    }

    /// Reads the rest of an escape, behind its backslash.
    private mutating func readEscape(into text: inout [UInt8]) throws(JSONError) {
        guard position < bytes.count else { throw syntaxError }
        let meaning: UInt8
        switch bytes[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): meaning = bytes[position]
        case UInt8(ascii: "b"): meaning = 0x08
        case UInt8(ascii: "f"): meaning = 0x0C
        case UInt8(ascii: "n"): meaning = 0x0A
        case UInt8(ascii: "r"): meaning = 0x0D
        case UInt8(ascii: "t"): meaning = 0x09
        case UInt8(ascii: "u"):
            let scalar = try unicodeEscape()
            text += Array(String(Character(scalar)).utf8)
            return
        default: throw syntaxError
        }
        position += 1
        text.append(meaning)
    }

    /// Reads `u` and four digits, and a second escape if that is the first half of a surrogate pair.
    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = UInt32(try codeUnit())
        guard (0xD800...0xDBFF).contains(first) else {
            // The second half of a pair alone is no scalar.
            guard let scalar = Unicode.Scalar(first) else { throw JSONError(.invalidText) }
            return scalar
        }
        guard takeByte("\\"), position < bytes.count, bytes[position] == UInt8(ascii: "u") else {
            throw JSONError(.invalidText)
        }
        let second = UInt32(try codeUnit())
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw JSONError(.invalidText) }
        return scalar
    }

    /// Reads `u` and four hexadecimal digits.
    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        position += 1
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = JSONReader.hexadecimalDigit(bytes[position]) else {
                throw syntaxError
            }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
