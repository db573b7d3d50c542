/// A scanner of the tokens of JSON: punctuation, words, numbers and strings. `JSONReader` makes values of them.
struct JSONScanner {
    private let bytes: [UInt8]
    private let refusesLongMarkRuns: Bool
    private var position = 0

    init(_ bytes: [UInt8], refusesLongMarkRuns: Bool) {
        self.bytes = bytes
        self.refusesLongMarkRuns = refusesLongMarkRuns
    }

    var syntaxError: JSONError { JSONError(.syntax(offset: position)) }

    // MARK: Punctuation and words

    mutating func peek() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return bytes[position]
            }
        }
        return nil
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ character: Unicode.Scalar) throws(JSONError) {
        guard take(character) else { throw syntaxError }
    }

    /// The word must be the next bytes, without white space before it.
    mutating func expectWord(_ word: StaticString) throws(JSONError) {
        let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: letters) else { throw syntaxError }
        position += letters.count
    }

    /// Without white space before it.
    private mutating func takeByte(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    // MARK: Numbers

    /// Reads the text of a number, `-1.5e3`, without white space before it.
    mutating func number() throws(JSONError) -> ArraySlice<UInt8> {
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

    private mutating func skipDigits() throws(JSONError) {
        let first = position
        while position < bytes.count, bytes[position].isDigit { position += 1 }
        guard position > first else { throw syntaxError }
    }
}

// MARK: Strings

extension JSONScanner {
    /// The quotation mark must be the next byte after white space.
    mutating func string() throws(JSONError) -> String {
        try expect("\"")
        let first = position
        let isASCII = skipPlain()
        // Most texts have no escape, and most are ASCII, which needs no validation.
        if takeByte("\"") {
            let text = bytes[first..<(position - 1)]
            return isASCII ? String(decoding: text, as: UTF8.self) : try self.text(text)
        }
        var text = Array(bytes[first..<position])
        while !takeByte("\"") {
            guard takeByte("\\") else { throw syntaxError }
            try readEscape(into: &text)
            let first = position
            _ = skipPlain()
            text += bytes[first..<position]
        }
        return try self.text(text[...])
    }

    /// Skips bytes that stand for themselves in a string. Returns whether they are ASCII.
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

    private func text(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), !refusesLongMarkRuns || text.hasShortMarkRuns
        else { throw JSONError(.invalidText) }
        return text
    }

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

    /// Reads `u` and four digits, and a second escape for the first half of a surrogate pair.
    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = UInt32(try codeUnit())
        guard (0xD800...0xDBFF).contains(first) else {
            // The second half of a pair alone is invalid.
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

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        position += 1
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
                throw syntaxError
            }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }
}
