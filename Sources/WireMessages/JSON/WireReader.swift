internal import MarvelDomain

enum WireValue {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)

    /// The last value counts, and parts of a message are merged. Without a value it is the default.
    init(_ values: [WireValue], of field: JSONField) {
        guard field.isMessage else {
            self = values.last ?? (field.isNumber ? .number(0) : .bytes([]))
            return
        }
        var parts: [UInt8] = []
        for case .bytes(let bytes) in values { parts += bytes }
        self = .bytes(parts[...])
    }

    var isDefault: Bool {
        switch self {
        case .number(let number): number == 0
        case .bytes(let bytes): bytes.isEmpty
        }
    }
}

/// Reads all wire types except groups.
struct WireReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Nil at the end.
    mutating func next() throws(JSONError) -> (number: UInt64, value: WireValue)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        guard tag >> 3 > 0 else { throw JSONError(.malformed) }
        switch tag & 7 {
        case 0: return (tag >> 3, .number(try varint()))
        case 1: return (tag >> 3, .bytes(try take(8)))
        case 2: return (tag >> 3, .bytes(try take(varint())))
        case 5: return (tag >> 3, .bytes(try take(4)))
        default: throw JSONError(.malformed)
        }
    }

    /// A packed number; nil at the end.
    mutating func nextElement() throws(JSONError) -> WireValue? {
        rest.isEmpty ? nil : .number(try varint())
    }

    private mutating func varint() throws(JSONError) -> UInt64 {
        guard let value = Varint.read({ rest.popFirst() }) else { throw JSONError(.malformed) }
        return value
    }

    private mutating func take(_ count: UInt64) throws(JSONError) -> ArraySlice<UInt8> {
        guard count <= UInt64(rest.count) else { throw JSONError(.malformed) }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}
