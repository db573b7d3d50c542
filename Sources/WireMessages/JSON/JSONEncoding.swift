internal import MarvelDomain
internal import NIOCore

enum JSONEncoding {
    /// Omits fields with default values.
    static func json(of encoded: ByteBuffer, as message: JSONMessage) throws(JSONError) -> ByteBuffer {
        var json = JSONWriter()
        json.reserveCapacity(2 * encoded.readableBytes)
        try write(Array(encoded.readableBytesView)[...], as: message, to: &json)
        return ByteBuffer(bytes: json.bytes)
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>,
        as message: JSONMessage,
        to json: inout JSONWriter
    ) throws(JSONError) {
        let values = try Self.values(of: bytes, in: message)
        try json.object { (json) throws(JSONError) in
            for (field, values) in zip(message.fields, values) where isWritten(values, field) {
                json.key(field.jsonName)
                do throws(JSONError) {
                    try write(values, of: field, to: &json)
                } catch {
                    throw error.inside(field.jsonName)
                }
            }
        }
    }

    private static func isWritten(_ values: [WireValue], _ field: JSONField) -> Bool {
        guard !field.hasPresence else { return !values.isEmpty }
        return field.isRepeated ? !values.isEmpty : values.last?.isDefault == false
    }

    private static func write(_ values: [WireValue], of field: JSONField, to json: inout JSONWriter) throws(JSONError) {
        guard field.isRepeated else {
            return try write(WireValue(values, of: field), of: field, to: &json)
        }
        guard !field.isMap else { return try writeMap(values, of: field, to: &json) }
        try json.array { (json) throws(JSONError) in
            for (index, value) in values.enumerated() {
                do throws(JSONError) {
                    try write(value, of: field, to: &json)
                } catch {
                    throw error.inside("[\(index)]")
                }
            }
        }
    }

    /// If a key occurs twice, the last value counts.
    private static func writeMap(
        _ entries: [WireValue],
        of field: JSONField,
        to json: inout JSONWriter
    ) throws(JSONError) {
        guard case .message(let entry) = field.kind else { throw JSONError(.malformed) }
        var values: [(key: String, value: [WireValue])] = []
        for case .bytes(let bytes) in entries {
            let fields = try Self.values(of: bytes, in: entry)
            guard case .bytes(let name) = WireValue(fields[0], of: entry.fields[0]) else { throw JSONError(.malformed) }
            let key = try text(name)
            values.removeAll { $0.key == key }
            values.append((key, fields[1]))
        }
        try json.object { (json) throws(JSONError) in
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                json.key(key)
                try write(WireValue(value, of: entry.fields[1]), of: entry.fields[1], to: &json)
            }
        }
    }

    private static func write(_ value: WireValue, of field: JSONField, to json: inout JSONWriter) throws(JSONError) {
        switch (field.kind, value) {
        case (.bool, .number(let number)): json.json(number == 0 ? "false" : "true")
        case (.int32, .number(let number)): json.json("\(Int32(truncatingIfNeeded: number))")
        case (.uint32, .number(let number)): json.json("\(UInt32(truncatingIfNeeded: number))")
        // JavaScript's numbers are exact only up to 2^53.
        case (.int64, .number(let number)): json.string("\(Int64(bitPattern: number))")
        case (.uint64, .number(let number)): json.string("\(number)")
        case (.enumeration(let values), .number(let number)):
            let number = Int32(truncatingIfNeeded: number)
            if let name = values.names[number] { json.string(name) } else { json.json("\(number)") }
        case (.string, .bytes(let bytes)): json.string(try text(bytes))
        // No letter of base64 needs an escape, and a picture has a million.
        case (.bytes, .bytes(let bytes)): json.json("\"\(Base64.encode(bytes))\"")
        case (.message(let message), .bytes(let bytes)): try write(bytes, as: message, to: &json)
        case (.timestamp, .bytes(let bytes)): json.string(try time(bytes))
        case (.duration, .bytes(let bytes)): json.string(try duration(bytes))
        case (.fieldMask, .bytes(let bytes)): json.string(try mask(bytes))
        default: throw JSONError(.malformed)
        }
    }
}

extension JSONEncoding {
    /// Omits unknown fields.
    private static func values(
        of bytes: ArraySlice<UInt8>,
        in message: JSONMessage
    ) throws(JSONError) -> [[WireValue]] {
        var reader = WireReader(bytes)
        var values = Array(repeating: [WireValue](), count: message.fields.count)
        while let (number, value) = try reader.next() {
            guard let position = message.position(ofNumber: number) else { continue }
            let field = message.fields[position]
            // In a oneof, the last field counts.
            for other in message.positions(excludedBy: position) { values[other] = [] }
            guard field.isRepeated, field.isNumber, case .bytes(let packed) = value else {
                values[position].append(value)
                continue
            }
            var elements = WireReader(packed)
            while let element = try elements.nextElement() { values[position].append(element) }
        }
        return values
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw JSONError(.invalidText) }
        return text
    }

    private static func time(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> String {
        let (seconds, nanoseconds) = try secondsAndNanoseconds(bytes)
        let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        guard time.isValid else { throw JSONError(.outOfRange) }
        return time.rfc3339
    }

    private static func duration(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> String {
        let (seconds, nanoseconds) = try secondsAndNanoseconds(bytes)
        guard nanoseconds.magnitude < 1_000_000_000, seconds.signum() * Int64(nanoseconds.signum()) >= 0,
            Duration.protobufSeconds.contains(seconds)
        else { throw JSONError(.outOfRange) }
        return (Duration.seconds(seconds) + .nanoseconds(Int64(nanoseconds))).protobufJSON
    }

    private static func secondsAndNanoseconds(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> (Int64, Int32) {
        var (seconds, nanoseconds): (Int64, Int32) = (0, 0)
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .number(let number)): seconds = Int64(bitPattern: number)
            case (2, .number(let number)): nanoseconds = Int32(truncatingIfNeeded: number)
            default: break
            }
        }
        return (seconds, nanoseconds)
    }

    private static func mask(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> String {
        var paths: [String] = []
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            if case (1, .bytes(let path)) = field { paths.append(try text(path)) }
        }
        guard let mask = FieldMask(paths).json else { throw JSONError(.outOfRange) }
        return mask
    }
}
