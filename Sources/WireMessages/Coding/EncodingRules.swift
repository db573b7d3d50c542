internal import CMarvelMessages

/// The rules of protobuf's encoding that libprotobuf-c does not follow.
///
/// A submessage that occurs twice is merged, but libprotobuf-c loses numbers of the first occurrence. Groups, and fields whose
/// wire type is not that of the schema, are unknown fields, but it refuses them. A text has to be UTF-8 even if a later one
/// replaces it, but it drops the text. It also takes tags that are none.
///
/// So the fields of each message are read here first, by its descriptor. Bytes that libprotobuf-c would decode in another way
/// are written again in a form that it decodes correctly.
struct EncodingRules {
    private let descriptor: UnsafePointer<ProtobufCMessageDescriptor>

    init?(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>?) {
        guard let descriptor else { return nil }
        self.descriptor = descriptor
    }

    /// Returns the bytes in the form that libprotobuf-c decodes correctly; nil if they have it already, as those of encoders
    /// do.
    func rewritten(_ bytes: UnsafeRawBufferPointer) throws(EncodingFault) -> [UInt8]? {
        guard try !isDecodedCorrectly(bytes) else { return nil }
        try checkTexts(in: bytes)
        return try merged(bytes)
    }

    // MARK: Schema

    private var fields: UnsafeBufferPointer<ProtobufCFieldDescriptor> {
        UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
    }

    /// Returns the place of a field in the descriptor; nil if the field is unknown, or is not of the schema's wire type.
    private func index(of field: EncodedFields.Field) -> Int? {
        guard let index = fields.firstIndex(where: { $0.id == field.number }) else { return nil }
        return fields[index].takes(wireType: field.wireType) ? index : nil
    }

    /// The rules of a field that is a message; nil if it is none.
    private func rules(ofMessage index: Int) -> EncodingRules? {
        guard fields[index].type == PROTOBUF_C_TYPE_MESSAGE else { return nil }
        return EncodingRules(fields[index].descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self))
    }

    /// Whether a value of one field replaces an earlier value of the other: they are the same one, or of one oneof.
    private func replaces(_ index: Int, _ other: Int) -> Bool {
        if index == other { return true }
        return fields[index].isOfOneof && fields[other].isOfOneof
            && fields[index].quantifier_offset == fields[other].quantifier_offset
    }

    // MARK: Reading

    private func isDecodedCorrectly(_ bytes: UnsafeRawBufferPointer) throws(EncodingFault) -> Bool {
        var isCorrect = true
        var reader = EncodedFields(bytes)
        // The fields that are not repeated, and whose values are texts or messages.
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

    /// Checks all texts of a message and of those in it.
    private func checkTexts(in bytes: UnsafeRawBufferPointer) throws(EncodingFault) {
        let texts = TextFields.numbers[String(cString: descriptor.pointee.name)] ?? []
        var reader = EncodedFields(bytes)
        while let field = try reader.next() {
            guard let index = index(of: field) else { continue }
            let content = UnsafeRawBufferPointer(rebasing: bytes[field.content])
            if let rules = rules(ofMessage: index) {
                do throws(EncodingFault) {
                    try rules.checkTexts(in: content)
                } catch {
                    throw error.inside(String(cString: fields[index].name))
                }
            } else if texts.contains(field.number),
                (try? UTF8Span(validating: content.bindMemory(to: UInt8.self).span)) == nil
            {
                throw .invalidText(field: String(cString: fields[index].name))
            }
        }
    }

    // MARK: Writing

    /// Writes a message again: without unknown fields, and with one occurrence of each submessage that is not repeated. The
    /// occurrences one behind the other are the encoding of the merged submessage.
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
        // Last, so that they count in their oneofs.
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

    /// Whether its values have a length.
    fileprivate var hasBytes: Bool {
        type == PROTOBUF_C_TYPE_BYTES || type == PROTOBUF_C_TYPE_STRING || type == PROTOBUF_C_TYPE_MESSAGE
    }

    /// Whether values have this wire type. Repeated numbers may also be packed.
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
    /// Appends a field that has a length.
    fileprivate mutating func append(_ number: UInt32, _ content: [UInt8]) {
        append(varint: UInt64(number) << 3 | UInt64(EncodedFields.lengthDelimited))
        append(varint: UInt64(content.count))
        self += content
    }

    private mutating func append(varint value: UInt64) { Varint.write(value) { append($0) } }
}
