import CMarvelMessages

/// A message's schema as protobuf-c knows it, and with it what decides how bytes are decoded.
struct Schema {
    struct Field {
        let name: String
        let number: UInt32
        let isRepeated: Bool
        let isBytes: Bool
        let isCString: Bool
        /// The schema of a message field.
        let message: UnsafePointer<ProtobufCMessageDescriptor>?
    }

    let name: String
    let fields: [Field]

    init(_ descriptor: ProtobufCMessageDescriptor) {
        name = String(cString: descriptor.name)
        fields = UnsafeBufferPointer(start: descriptor.fields, count: Int(descriptor.n_fields)).map { field in
            let isMessage = field.type == PROTOBUF_C_TYPE_MESSAGE
            return Field(
                name: String(cString: field.name),
                number: field.id,
                isRepeated: field.label == PROTOBUF_C_LABEL_REPEATED,
                isBytes: field.type == PROTOBUF_C_TYPE_BYTES,
                isCString: field.type == PROTOBUF_C_TYPE_STRING,
                message: isMessage ? field.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self) : nil
            )
        }
    }
}

/// A field somewhere in a message, and how to get there.
struct FieldPath {
    var messages: [Schema.Field]
    var field: Schema.Field

    var numbers: [UInt32] { messages.map(\.number) }

    /// As errors name it, in a message that holds one element of each repeated field.
    var name: String {
        (messages + [field]).map { $0.name + ($0.isRepeated ? "[0]" : "") }.joined(separator: ".")
    }
}

extension Schema {
    /// Every field of the message and of those inside it. Ends because no message is recursive, which has its own test.
    var paths: [FieldPath] {
        fields.flatMap { field in
            let inner = field.message.map { Schema($0.pointee).paths } ?? []
            return [FieldPath(messages: [], field: field)]
                + inner.map { FieldPath(messages: [field] + $0.messages, field: $0.field) }
        }
    }
}
