/// A reader of JSON (RFC 8259) from bytes, value by value, without a tree of values.
///
/// A caller reads known members by its own recursion, and skips the others.
package struct JSONReader {
    private static let maximumDepth = 100

    private var scanner: JSONScanner

    /// Callers' texts are refused if they have too many combining marks in a row.
    package init(_ bytes: [UInt8], refusesLongMarkRuns: Bool = false) {
        scanner = JSONScanner(bytes, refusesLongMarkRuns: refusesLongMarkRuns)
    }

    /// Reads a text that is exactly one value.
    package static func read<Value>(
        _ text: String,
        _ readValue: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        try read(Array(text.utf8), readValue)
    }

    package static func read<Value>(
        _ text: [UInt8],
        _ readValue: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        var reader = JSONReader(text)
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

    /// Returns the kind of the next value without reading it.
    package mutating func start() throws(JSONError) -> Start {
        guard let byte = scanner.peek() else { throw scanner.syntaxError }
        switch byte {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .literal
        default: throw scanner.syntaxError
        }
    }

    private mutating func require(_ kind: Start, _ expected: String) throws(JSONError) {
        guard try start() == kind else { throw JSONError(.wrongType(expected: expected)) }
    }

    package mutating func expectEnd() throws(JSONError) {
        guard scanner.peek() == nil else { throw scanner.syntaxError }
    }
}

// MARK: Objects and arrays

extension JSONReader {
    /// `readMember` reads the value of the named member. At most 64 names are required.
    ///
    /// - Throws: `JSONError` with the path of the member.
    package mutating func object(
        requiring required: [String] = [],
        _ readMember: (inout JSONReader, String) throws(JSONError) -> Void
    ) throws(JSONError) {
        try require(.object, "an object")
        try scanner.expect("{")
        // One bit for each required name that was read.
        var found: UInt64 = 0
        if !scanner.take("}") {
            repeat {
                let name = try key()
                if let index = required.firstIndex(of: name) { found |= 1 << UInt64(index) }
                do throws(JSONError) {
                    try readMember(&self, name)
                } catch {
                    throw error.inside(name)
                }
            } while scanner.take(",")
            try scanner.expect("}")
        }
        for (index, name) in required.enumerated() where found & 1 << UInt64(index) == 0 {
            throw JSONError(.missing, field: name)
        }
    }

    private mutating func key() throws(JSONError) -> String {
        let name = try scanner.string()
        try scanner.expect(":")
        return name
    }

    package mutating func array(
        _ readElement: (inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try require(.array, "an array")
        try scanner.expect("[")
        guard !scanner.take("]") else { return }
        var index = 0
        repeat {
            do throws(JSONError) {
                try readElement(&self)
            } catch {
                throw error.inside("[\(index)]")
            }
            index += 1
        } while scanner.take(",")
        try scanner.expect("]")
    }

    /// Skips a value of any kind, which must be valid JSON.
    package mutating func skipValue() throws(JSONError) { try skipValue(depth: 0) }

    private mutating func skipValue(depth: Int) throws(JSONError) {
        guard depth < JSONReader.maximumDepth else { throw JSONError(.tooDeep(maximum: JSONReader.maximumDepth)) }
        switch try start() {
        case .string: _ = try scanner.string()
        case .number: _ = try scanner.number()
        case .literal: if try !takeNull() { _ = try bool() }
        case .array:
            try scanner.expect("[")
            guard !scanner.take("]") else { return }
            repeat { try skipValue(depth: depth + 1) } while scanner.take(",")
            try scanner.expect("]")
        case .object:
            try scanner.expect("{")
            guard !scanner.take("}") else { return }
            repeat {
                _ = try key()
                try skipValue(depth: depth + 1)
            } while scanner.take(",")
            try scanner.expect("}")
        }
    }
}

// MARK: Literals, numbers and text

extension JSONReader {
    package mutating func takeNull() throws(JSONError) -> Bool {
        guard scanner.peek() == UInt8(ascii: "n") else { return false }
        try scanner.expectWord("null")
        return true
    }

    package mutating func bool() throws(JSONError) -> Bool {
        switch scanner.peek() {
        case UInt8(ascii: "t"):
            try scanner.expectWord("true")
            return true
        case UInt8(ascii: "f"):
            try scanner.expectWord("false")
            return false
        default:
            _ = try start()
            throw JSONError(.wrongType(expected: "a boolean"))
        }
    }

    package mutating func int32() throws(JSONError) -> Int32 { try integer() }
    package mutating func int64() throws(JSONError) -> Int64 { try integer() }

    /// A fraction of zeros and an exponent are allowed, below 2^53: a `Double` lacks digits of larger numbers.
    package mutating func integer<Number: FixedWidthInteger>(
        _: Number.Type = Number.self
    ) throws(JSONError) -> Number {
        try require(.number, "an integer")
        let text = String(decoding: try scanner.number(), as: UTF8.self)
        if let number = Number(text) { return number }
        guard let value = Double(text), value.magnitude < 0x1p53 else { throw JSONError(.outOfRange) }
        guard value == value.rounded() else { throw JSONError(.wrongType(expected: "an integer")) }
        guard let number = Number(exactly: value) else { throw JSONError(.outOfRange) }
        return number
    }

    package mutating func string() throws(JSONError) -> String {
        try require(.string, "a string")
        return try scanner.string()
    }
}
