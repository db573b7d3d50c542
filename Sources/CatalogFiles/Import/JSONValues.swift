/// A reader of the values in a JSON file: objects one after another, with or without line breaks in them, or the
/// elements of an array, which may be larger than memory.
///
/// It only finds the beginning and the end of each value, which is then validated by a decoder. A value that was cut
/// off is reported. It ends before a line that begins with a new object where no object is allowed, so that a broken
/// line costs only that line.
struct JSONValues: ~Copyable {
    enum Found: Hashable {
        case value([UInt8], line: Int)
        case broken(String, line: Int)
    }

    /// The maximum size of a value. Answers of the API are far smaller.
    static let maximumByteCount = 16 << 20

    private var input: ByteReader
    private var isInArray = false
    private var isDone = false

    init(_ input: consuming ByteReader) { self.input = input }

    /// The number of bytes that were read so far.
    var readCount: Int { input.readCount }

    mutating func next() throws(ImportedFileError) -> Found? {
        while !isDone {
            guard let byte = try input.peek() else {
                isDone = true
                return isInArray ? .broken("the file ends within its array", line: input.line) : nil
            }
            switch byte {
            case UInt8(ascii: "["):
                // An array in an array is read as one value, because it contains no characters.
                if isInArray { return try value() }
                isInArray = true
                input.skip()
            case UInt8(ascii: "]") where isInArray:
                isInArray = false
                input.skip()
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                input.skip()
                return .broken("a bracket closes nothing", line: input.line)
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                input.skip()
            default:
                return try value()
            }
        }
        return nil
    }

    private mutating func value() throws(ImportedFileError) -> Found {
        let line = input.line
        var scan = JSONValueScan()
        var bytes: [UInt8] = []
        var isTooLarge = false
        while let byte = try input.peek() {
            switch scan.take(byte) {
            case .inside:
                input.skip()
                bytes.append(byte)
            case .last:
                input.skip()
                bytes.append(byte)
                return isTooLarge ? tooLarge(line) : .value(bytes, line: line)
            case .behind:
                return isTooLarge ? tooLarge(line) : .value(bytes, line: line)
            case .broken(let reason):
                // The byte that breaks the value may begin the next one: only a brace can.
                if byte != UInt8(ascii: "{") || bytes.isEmpty { input.skip() }
                return .broken(reason, line: line)
            }
            if bytes.count > JSONValues.maximumByteCount {
                isTooLarge = true
                bytes.removeAll(keepingCapacity: true)
            }
        }
        return scan.isScalar ? .value(bytes, line: line) : .broken("it is cut off", line: line)
    }

    private func tooLarge(_ line: Int) -> Found {
        .broken("it has more than \(JSONValues.maximumByteCount) bytes", line: line)
    }
}

/// A scanner of one JSON value, byte by byte, that finds the end of the value.
struct JSONValueScan {
    enum Step: Hashable {
        /// The byte is part of the value.
        case inside
        /// The byte ends the value.
        case last
        /// The byte comes after the value.
        case behind
        case broken(String)
    }

    private enum Container {
        case object
        case array
    }

    private var containers: [Container] = []
    private var isInString = false
    private var isEscaped = false
    /// The last byte that is not white space.
    private var previous: UInt8 = 0

    /// Whether the value is neither an object nor an array, so far.
    private(set) var isScalar = true

    mutating func take(_ byte: UInt8) -> Step {
        if isInString { return takeInString(byte) }
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            return containers.isEmpty ? .behind : .inside
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard isValueAllowed else { return .broken("it is cut off") }
            guard containers.count < 32 else { return .broken("it is nested deeper than 32") }
            containers.append(byte == UInt8(ascii: "{") ? .object : .array)
            isScalar = false
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard let open = containers.popLast() else { return .behind }
            guard (open == .object) == (byte == UInt8(ascii: "}")) else { return .broken("its brackets do not match") }
            previous = byte
            return containers.isEmpty ? .last : .inside
        case UInt8(ascii: ",") where containers.isEmpty:
            return .behind
        case UInt8(ascii: "\""):
            isInString = true
        default:
            break
        }
        previous = byte
        return .inside
    }

    private mutating func takeInString(_ byte: UInt8) -> Step {
        if byte == UInt8(ascii: "\n") { return .broken("it is cut off, or has a line break within a text") }
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            previous = byte
        }
        return .inside
    }

    /// Whether a value can begin here.
    private var isValueAllowed: Bool {
        switch containers.last {
        case nil: previous == 0
        case .object: previous == UInt8(ascii: ":")
        case .array: previous == UInt8(ascii: "[") || previous == UInt8(ascii: ",")
        }
    }
}
