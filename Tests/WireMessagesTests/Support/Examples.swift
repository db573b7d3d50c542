import CMarvelMessages
import MarvelDomain
import NIOCore
import RPCCore

@testable import WireMessages

extension SplitMix64 {
    mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &self) == 0 }

    mutating func text() -> String {
        let alphabet = ["a", "Z", " ", "é", "e\u{301}", "에", "𐍈", "👩‍🚀", "\n", "\u{7F}", "\u{FFFF}"]
        if chance(4) { return "" }
        return (0..<Int.random(in: 1...40, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? "" }
            .joined()
    }

    mutating func integer<Number: FixedWidthInteger>() -> Number {
        switch Int.random(in: 0..<6, using: &self) {
        case 0: .zero
        case 1: .min
        case 2: .max
        case 3: Number(truncatingIfNeeded: -1)
        case 4: Number(truncatingIfNeeded: Int.random(in: 1...300, using: &self))
        default: Number.random(in: .min ... .max, using: &self)
        }
    }

    mutating func payload() -> ByteBuffer {
        let count = chance(4) ? 0 : Int.random(in: 1...300, using: &self)
        return ByteBuffer(bytes: (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) })
    }

    /// Returns the bytes with one to three others in them, and cut anywhere.
    mutating func damaged(_ bytes: ByteBuffer) -> ByteBuffer {
        var damaged = bytes
        for _ in 0...Int.random(in: 0...2, using: &self) where damaged.readableBytes > 0 {
            let place = Int.random(in: 0..<damaged.readableBytes, using: &self)
            damaged.setInteger(UInt8.random(in: 0...255, using: &self), at: place)
        }
        damaged.moveWriterIndex(to: Int.random(in: 0...damaged.readableBytes, using: &self))
        return damaged
    }
}

// MARK: Messages

extension SplitMix64 {
    /// Makes a message with random values in the fields of its schema, often those at the edges, and encodes it as
    /// libprotobuf-c does.
    mutating func encoding(of descriptor: UnsafePointer<ProtobufCMessageDescriptor>?) -> ByteBuffer {
        ByteBuffer(bytes: descriptor.map { message($0.pointee) } ?? [])
    }

    private mutating func message(_ descriptor: ProtobufCMessageDescriptor) -> [UInt8] {
        let name = String(cString: descriptor.name)
        switch name {
        case "google.protobuf.Duration": return duration()
        case "google.protobuf.Timestamp": return time()
        case "google.protobuf.Any": return detail()
        default: break
        }
        let fields = Array(UnsafeBufferPointer(start: descriptor.fields, count: Int(descriptor.n_fields)))
        let oneofs = Dictionary(grouping: fields.filter(\.isOfOneof), by: \.quantifier_offset)
        let chosen = oneofs.sorted { $0.key < $1.key }.map { $0.value.map(\.id) + [0] }
            .compactMap { $0.randomElement(using: &self) }
        return fields.flatMap { field -> [UInt8] in
            guard !field.isOfOneof else { return chosen.contains(field.id) ? value(of: field, in: name) : [] }
            guard field.label == PROTOBUF_C_LABEL_REPEATED else { return singular(field, in: name) }
            // A map has no order.
            let maximum = field.isMap ? 1 : 4
            let values = (0..<Int.random(in: 0...maximum, using: &self)).map { _ in value(of: field, in: name) }
            guard field.flags & PROTOBUF_C_FIELD_FLAG_PACKED.rawValue != 0 else { return values.flatMap(\.self) }
            // Without their tags, which have one byte.
            return values.isEmpty ? [] : RawField.bytes(field.id, values.flatMap { $0.dropFirst() })
        }
    }

    /// Encodes a field, unless its value is the default.
    private mutating func singular(_ field: ProtobufCFieldDescriptor, in message: String) -> [UInt8] {
        guard field.type == PROTOBUF_C_TYPE_MESSAGE else {
            let encoded = value(of: field, in: message)
            return encoded.last == 0 && encoded.count == 2 ? [] : encoded
        }
        // Our code always writes these, or refuses a message without them.
        let areRequired = ["freshness", "saved_at", "retry_delay", "value"].contains(String(cString: field.name))
        guard areRequired || message == "marvel.v1.Favorite" || !chance(3) else { return [] }
        return value(of: field, in: message)
    }

    private mutating func value(of field: ProtobufCFieldDescriptor, in message: String) -> [UInt8] {
        switch field.type {
        case PROTOBUF_C_TYPE_MESSAGE:
            let inner = field.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
            return RawField.bytes(field.id, self.message(inner.pointee))
        case PROTOBUF_C_TYPE_BYTES:
            let isText = TextFields.numbers[message]?.contains(field.id) == true
            return RawField.bytes(field.id, isText ? Array(text().utf8) : payload().bytes)
        case PROTOBUF_C_TYPE_BOOL: return RawField.number(field.id, chance(2) ? 0 : 1)
        case PROTOBUF_C_TYPE_UINT32: return RawField.number(field.id, UInt64(integer() as UInt32))
        case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_UINT64: return RawField.number(field.id, integer())
        default:
            // OK is no error.
            let isCode = message.hasSuffix(".Status")
            let number: Int32 = isCode ? .random(in: 1...16, using: &self) : integer()
            return RawField.number(field.id, UInt64(bitPattern: Int64(number)))
        }
    }

    private mutating func time() -> [UInt8] {
        let seconds = min(max(integer(), Timestamp.validSeconds.lowerBound), Timestamp.validSeconds.upperBound)
        let nanoseconds = UInt64.random(in: 0..<1_000_000_000, using: &self)
        return (seconds == 0 ? [] : RawField.number(1, UInt64(bitPattern: seconds)))
            + (nanoseconds == 0 ? [] : RawField.number(2, nanoseconds))
    }

    /// Encodes a length of time other than 0.
    private mutating func duration() -> [UInt8] {
        let seconds = Int64(integer() as Int32)
        let nanoseconds = Int64.random(in: 1..<1_000_000_000, using: &self) * (seconds < 0 ? -1 : 1)
        return (seconds == 0 ? [] : RawField.number(1, UInt64(bitPattern: seconds)))
            + RawField.number(2, UInt64(bitPattern: nanoseconds))
    }

    /// Encodes the detail of an error: one of those that are known, or another.
    private mutating func detail() -> [UInt8] {
        let known = [
            ("ErrorInfo", ErrorInfo.descriptor), ("BadRequest", BadRequest.descriptor),
            ("RetryInfo", RetryInfo.descriptor), ("QuotaFailure", QuotaFailure.descriptor),
        ].randomElement(using: &self)
        let (typeURL, value) =
            if let (name, descriptor) = known, !chance(3) {
                ("type.googleapis.com/google.rpc.\(name)", encoding(of: descriptor).bytes)
            } else {
                ("type.example/\(text())", payload().bytes)
            }
        return RawField.bytes(1, Array(typeURL.utf8)) + (value.isEmpty ? [] : RawField.bytes(2, value))
    }
}

extension ProtobufCFieldDescriptor {
    fileprivate var isOfOneof: Bool { flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0 }

    fileprivate var isMap: Bool {
        guard type == PROTOBUF_C_TYPE_MESSAGE else { return false }
        let inner = descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
        return String(cString: inner.pointee.name).hasSuffix("Entry")
    }
}
