import RPCServer

// The messages of `tally.v1`. With swift-protobuf they would be generated, and conform by an extension of a few lines.
// A field of a request may be left out, also in JSON.

struct AddRequest: RPCMessage, Codable {
    /// Field 1.
    var name: String?
    /// Field 2.
    var amount: Int64?

    init(encoded bytes: [UInt8]) throws {
        let fields = try Fields(bytes)
        (name, amount) = (fields.text(1), fields.integer(2))
    }

    func encoded() -> [UInt8] { Fields([1: name.map { .text($0) }, 2: amount.map { .integer($0) }]).encoded() }
}

struct ListRequest: RPCMessage, Codable {
    /// Field 1.
    var prefix: String?

    init(encoded bytes: [UInt8]) throws { prefix = try Fields(bytes).text(1) }

    func encoded() -> [UInt8] { Fields([1: prefix.map { .text($0) }]).encoded() }
}

struct WatchRequest: RPCMessage, Codable {
    /// Field 1: the number of the last change that the caller has.
    var after: Int64?

    init(encoded bytes: [UInt8]) throws { after = try Fields(bytes).integer(1) }

    func encoded() -> [UInt8] { Fields([1: after.map { .integer($0) }]).encoded() }
}

struct Count: RPCMessage, Codable, Equatable {
    /// Field 1.
    var name: String
    /// Field 2.
    var value: Int64
    /// Field 3: the number of the change; 0 in a list.
    var number: Int64
}

extension Count {
    init(encoded bytes: [UInt8]) throws {
        let fields = try Fields(bytes)
        self.init(name: fields.text(1) ?? "", value: fields.integer(2) ?? 0, number: fields.integer(3) ?? 0)
    }

    func encoded() -> [UInt8] { Fields([1: .text(name), 2: .integer(value), 3: .integer(number)]).encoded() }
}

/// The fields of a message in protobuf's encoding, of the two kinds that these messages have.
private struct Fields {
    enum Field {
        case integer(Int64)
        case text(String)
    }

    private var fields: [UInt64: Field]

    init(_ fields: [UInt64: Field?]) { self.fields = fields.compactMapValues(\.self) }

    init(_ bytes: [UInt8]) throws {
        fields = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            let key = try Self.varint(&rest)
            let value = try Self.varint(&rest)
            switch key & 7 {
            case 0: fields[key >> 3] = .integer(Int64(bitPattern: value))
            case 2:
                guard value <= UInt64(rest.count), let text = String(validating: rest.prefix(Int(value)), as: UTF8.self)
                else { throw RPCError.malformed("a text is cut short, or not UTF-8") }
                rest = rest.dropFirst(Int(value))
                fields[key >> 3] = .text(text)
            default: throw RPCError.malformed("a field has an unknown kind")
            }
        }
    }

    private static func varint(_ bytes: inout ArraySlice<UInt8>) throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, through: 63, by: 7) {
            guard let byte = bytes.popFirst() else { throw RPCError.malformed("the message is cut short") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw RPCError.malformed("an integer is too long")
    }

    func integer(_ number: UInt64) -> Int64? { if case .integer(let value)? = fields[number] { value } else { nil } }

    func text(_ number: UInt64) -> String? { if case .text(let value)? = fields[number] { value } else { nil } }

    func encoded() -> [UInt8] {
        fields.sorted { $0.key < $1.key }.flatMap { number, field -> [UInt8] in
            switch field {
            case .integer(let value): Self.varint(number << 3) + Self.varint(UInt64(bitPattern: value))
            case .text(let text): Self.varint(number << 3 | 2) + Self.varint(UInt64(text.utf8.count)) + text.utf8
            }
        }
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
