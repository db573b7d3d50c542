internal import MarvelDomain
internal import NIOCore

enum JSONDecoding {
    /// The fields have the order of the JSON. The error has the path of the field.
    static func encoding(of bytes: [UInt8], as message: JSONMessage) throws(JSONError) -> ByteBuffer {
        var reader = JSONReader(bytes, refusesLongMarkRuns: true)
        var encoded = ByteBuffer()
        try read(message, &reader, into: &encoded)
        try reader.expectEnd()
        return encoded
    }

    private static func read(
        _ message: JSONMessage,
        _ reader: inout JSONReader,
        into encoded: inout ByteBuffer
    ) throws(JSONError) {
        var seen: Set<Int> = []
        var seenOneofs: Set<String> = []
        try reader.object { (reader, name) throws(JSONError) in
            guard let position = message.position(of: name) else { throw JSONError(.unknownField) }
            guard seen.insert(position).inserted else { throw JSONError(.duplicate) }
            guard try !reader.takeNull() else { return }
            let field = message.fields[position]
            if let oneof = field.oneof, !seenOneofs.insert(oneof).inserted { throw JSONError(.duplicate) }
            guard field.isRepeated else { return try readValue(of: field, &reader, into: &encoded) }
            guard !field.isMap else { return try readMap(of: field, &reader, into: &encoded) }
            try reader.array { reader throws(JSONError) in try readValue(of: field, &reader, into: &encoded) }
        }
    }

    private static func readMap(
        of field: JSONField,
        _ reader: inout JSONReader,
        into encoded: inout ByteBuffer
    ) throws(JSONError) {
        guard case .message(let entry) = field.kind else { throw JSONError(.malformed) }
        var keys: Set<String> = []
        try reader.object { (reader, key) throws(JSONError) in
            guard keys.insert(key).inserted else { throw JSONError(.duplicate) }
            try write(field, to: &encoded) { (inner) throws(JSONError) in
                inner.write(entry.fields[0].number, bytes: Array(key.utf8))
                try readValue(of: entry.fields[1], &reader, into: &inner)
            }
        }
    }

    /// Repeated numbers are not packed: every decoder accepts that.
    private static func readValue(
        of field: JSONField,
        _ reader: inout JSONReader,
        into encoded: inout ByteBuffer
    ) throws(JSONError) {
        switch field.kind {
        case .bool: encoded.write(field.number, varint: try reader.bool() ? 1 : 0)
        case .int32: encoded.write(field.number, signed: Int64(try integer(Int32.self, &reader)))
        case .int64: encoded.write(field.number, signed: try integer(Int64.self, &reader))
        case .uint32: encoded.write(field.number, varint: UInt64(try integer(UInt32.self, &reader)))
        case .uint64: encoded.write(field.number, varint: try integer(UInt64.self, &reader))
        case .enumeration(let values):
            encoded.write(field.number, signed: Int64(try enumValue(of: values, &reader)))
        case .string: encoded.write(field.number, bytes: Array(try reader.string().utf8))
        case .bytes:
            guard let bytes = Base64.decode(try reader.string()) else {
                throw JSONError(.wrongType(expected: "a base64 string"))
            }
            encoded.write(field.number, bytes: bytes)
        case .message(let message):
            try write(field, to: &encoded) { (inner) throws(JSONError) in
                try read(message, &reader, into: &inner)
            }
        case .timestamp, .duration, .fieldMask:
            let text = try reader.string()
            try write(field, to: &encoded) { (inner) throws(JSONError) in
                try write(text, of: field.kind, to: &inner)
            }
        }
    }

    private static func write(
        _ field: JSONField,
        to encoded: inout ByteBuffer,
        _ writeMessage: (inout ByteBuffer) throws(JSONError) -> Void
    ) throws(JSONError) {
        var message = ByteBuffer()
        try writeMessage(&message)
        encoded.write(field.number, bytes: message.readableBytesView)
    }

    /// An integer may be within quotation marks.
    private static func integer<Number: FixedWidthInteger>(
        _ type: Number.Type,
        _ reader: inout JSONReader
    ) throws(JSONError) -> Number {
        guard try reader.start() == .string else { return try reader.integer(type) }
        let wrongType = JSONError(.wrongType(expected: "an integer"))
        let text = try reader.string()
        guard text.utf8.allSatisfy({ $0 > UInt8(ascii: " ") }) else { throw wrongType }
        do throws(JSONError) {
            return try JSONReader.read(text) { (number) throws(JSONError) in try number.integer(type) }
        } catch {
            throw error.problem == .outOfRange ? error : wrongType
        }
    }

    private static func enumValue(of values: JSONEnum, _ reader: inout JSONReader) throws(JSONError) -> Int32 {
        switch try reader.start() {
        case .number: return try reader.int32()
        case .string:
            guard let number = values.numbers[try reader.string()] else { throw JSONError(.unknownEnumValue) }
            return number
        case .object, .array, .literal:
            throw JSONError(.wrongType(expected: "the name or number of an enum value"))
        }
    }

    private static func write(
        _ text: String,
        of kind: JSONField.Kind,
        to encoded: inout ByteBuffer
    ) throws(JSONError) {
        switch kind {
        case .timestamp:
            guard let time = Timestamp(rfc3339: text) else {
                let expected = "a time in the years 1 to 9999, such as 2026-01-31T09:05:00Z"
                throw JSONError(.wrongType(expected: expected))
            }
            encoded.write(seconds: time.seconds, nanoseconds: time.nanoseconds)
        case .duration:
            guard let (seconds, attoseconds) = Duration(protobufJSON: text)?.components else {
                throw JSONError(.wrongType(expected: "a duration within 10,000 years, such as 1.5s"))
            }
            encoded.write(seconds: seconds, nanoseconds: Int32(attoseconds / 1_000_000_000))
        default:
            guard let mask = FieldMask(json: text) else {
                throw JSONError(.wrongType(expected: "field names, separated by commas"))
            }
            for path in mask.paths { encoded.write(1, bytes: Array(path.utf8)) }
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func write(_ field: UInt32, varint value: UInt64) {
        writeVarint(UInt64(field) << 3)
        writeVarint(value)
    }

    fileprivate mutating func write(_ field: UInt32, signed value: Int64) {
        write(field, varint: UInt64(bitPattern: value))
    }

    fileprivate mutating func write(_ field: UInt32, bytes: some Collection<UInt8>) {
        writeVarint(UInt64(field) << 3 | 2)
        writeVarint(UInt64(bytes.count))
        writeBytes(bytes)
    }

    fileprivate mutating func write(seconds: Int64, nanoseconds: Int32) {
        if seconds != 0 { write(1, signed: seconds) }
        if nanoseconds != 0 { write(2, signed: Int64(nanoseconds)) }
    }

    private mutating func writeVarint(_ value: UInt64) { Varint.write(value) { writeInteger($0) } }
}
