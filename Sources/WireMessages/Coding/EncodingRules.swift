internal import CMarvelMessages
internal import MarvelDomain

/// The rules of protobuf's encoding that libprotobuf-c violates.
///
/// It loses numbers when it merges a repeated submessage. It refuses groups and fields of another wire type. It drops a
/// replaced text without validating it. It also accepts invalid tags. Such bytes are rewritten in a form that it
/// decodes correctly.
struct EncodingRules {
    private let descriptor: UnsafePointer<ProtobufCMessageDescriptor>

    init?(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>?) {
        guard let descriptor else { return nil }
        self.descriptor = descriptor
    }

    /// Nil if libprotobuf-c decodes the bytes correctly, as it does for those of encoders.
    func rewritten(_ bytes: UnsafeRawBufferPointer) throws(EncodingFault) -> [UInt8]? {
        guard try !isDecodedCorrectly(bytes) else { return nil }
        try checkTexts(in: bytes) { (try? UTF8Span(validating: $0)) != nil }
        return try merged(bytes)
    }

    private var fields: UnsafeBufferPointer<ProtobufCFieldDescriptor> {
        UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
    }

    /// Nil if the field is unknown, or has another wire type than the schema's.
    private func index(of field: EncodedFields.Field) -> Int? {
        guard let index = fields.firstIndex(where: { $0.id == field.number }) else { return nil }
        return fields[index].takes(wireType: field.wireType) ? index : nil
    }

    private func rules(ofMessage index: Int) -> EncodingRules? {
        guard fields[index].type == PROTOBUF_C_TYPE_MESSAGE else { return nil }
        return EncodingRules(fields[index].descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self))
    }

    /// The same field, or the same oneof.
    private func replaces(_ index: Int, _ other: Int) -> Bool {
        if index == other { return true }
        return fields[index].isOfOneof && fields[other].isOfOneof
            && fields[index].quantifier_offset == fields[other].quantifier_offset
    }

    private func isDecodedCorrectly(_ bytes: UnsafeRawBufferPointer) throws(EncodingFault) -> Bool {
        var isCorrect = true
        var reader = EncodedFields(bytes)
        var seen: [Int] = []
        while let field = try reader.next() {
            guard let index = index(of: field) else {
                let isKnown = fields.contains { $0.id == field.number }
                if isKnown || field.wireType == EncodedFields.startGroup { isCorrect = false }
                continue
            }
            if let rules = rules(ofMessage: index) {
                let content = UnsafeRawBufferPointer(rebasing: bytes[field.content])
                if try !rules.isDecodedCorrectly(content) { isCorrect = false }
            }
            guard !fields[index].isRepeated, fields[index].hasBytes || fields[index].isOfOneof else { continue }
            if isCorrect, seen.contains(where: { replaces(index, $0) }) { isCorrect = false }
            if isCorrect { seen.append(index) }
        }
        return isCorrect
    }

    func checkMarkRuns(in bytes: UnsafeRawBufferPointer) throws(EncodingFault) {
        guard bytes.contains(where: { $0 >= CombiningMarks.firstByte }) else { return }
        // Invalid UTF-8 is refused when the text is copied.
        try checkTexts(in: bytes) { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return true }
            return String(copying: text).hasShortMarkRuns
        }
    }

    private func checkTexts(
        in bytes: UnsafeRawBufferPointer,
        _ isAllowed: (Span<UInt8>) -> Bool
    ) throws(EncodingFault) {
        let texts = TextFields.numbers[String(cString: descriptor.pointee.name)] ?? []
        var reader = EncodedFields(bytes)
        while let field = try reader.next() {
            guard let index = index(of: field) else { continue }
            let content = UnsafeRawBufferPointer(rebasing: bytes[field.content])
            if let rules = rules(ofMessage: index) {
                do throws(EncodingFault) {
                    try rules.checkTexts(in: content, isAllowed)
                } catch {
                    throw error.inside(String(cString: fields[index].name))
                }
            } else if texts.contains(field.number), !isAllowed(content.bindMemory(to: UInt8.self).span) {
                throw .invalidText(field: String(cString: fields[index].name))
            }
        }
    }

    /// Drops unknown fields, and leaves one occurrence of each singular submessage. Concatenated occurrences are the
    /// encoding of the merged submessage.
    private func merged(_ bytes: UnsafeRawBufferPointer) throws(EncodingFault) -> [UInt8] {
        var output: [UInt8] = []
        var parts: [(index: Int, bytes: [UInt8])] = []
        var reader = EncodedFields(bytes)
        while let field = try reader.next() {
            guard let index = index(of: field) else { continue }
            parts.removeAll { $0.index != index && replaces(index, $0.index) }
            let content = UnsafeRawBufferPointer(rebasing: bytes[field.content])
            guard let rules = rules(ofMessage: index) else {
                output += bytes[field.whole]
                continue
            }
            if fields[index].isRepeated {
                output.append(field.number, try rules.merged(content))
            } else if let part = parts.firstIndex(where: { $0.index == index }) {
                parts[part].bytes += content
            } else {
                parts.append((index, Array(content)))
            }
        }
        // These win in their oneofs.
        for (index, bytes) in parts {
            let message = bytes.withUnsafeBytes { bytes in
                Result { () throws(EncodingFault) in try rules(ofMessage: index)?.merged(bytes) ?? [] }
            }
            output.append(fields[index].id, try message.get())
        }
        return output
    }
}

extension EncodingFault {
    fileprivate func inside(_ outer: String) -> EncodingFault {
        switch self {
        case .malformed: self
        case .invalidText(let field): .invalidText(field: "\(outer).\(field)")
        }
    }
}

extension ProtobufCFieldDescriptor {
    fileprivate var isRepeated: Bool { label == PROTOBUF_C_LABEL_REPEATED }

    fileprivate var isOfOneof: Bool { flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0 }

    fileprivate var hasBytes: Bool {
        type == PROTOBUF_C_TYPE_BYTES || type == PROTOBUF_C_TYPE_STRING || type == PROTOBUF_C_TYPE_MESSAGE
    }

    /// Repeated numbers may also be packed.
    fileprivate func takes(wireType: UInt8) -> Bool {
        if hasBytes { return wireType == EncodedFields.lengthDelimited }
        if isRepeated, wireType == EncodedFields.lengthDelimited { return true }
        switch type {
        case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT:
            return wireType == EncodedFields.fixed32
        case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE:
            return wireType == EncodedFields.fixed64
        default: return wireType == EncodedFields.varint
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: UInt32, _ content: [UInt8]) {
        append(varint: UInt64(number) << 3 | UInt64(EncodedFields.lengthDelimited))
        append(varint: UInt64(content.count))
        self += content
    }

    private mutating func append(varint value: UInt64) { Varint.write(value) { append($0) } }
}
