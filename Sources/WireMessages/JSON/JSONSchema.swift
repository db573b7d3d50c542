/// The fields of a message, as its JSON needs them. Those of the services' messages are generated.
struct JSONMessage: Sendable {
    /// The fields in the order in which they are written.
    let fields: [JSONField]
    /// The positions in `fields` by the names that a reader accepts: the one of JSON, and the one of the `.proto`.
    private let positions: [String: Int]

    init(_ fields: [JSONField] = []) {
        self.fields = fields
        let names = fields.enumerated().flatMap { [($1.name, $0), ($1.jsonName, $0)] }
        positions = Dictionary(names) { first, _ in first }
    }

    func position(of name: String) -> Int? { positions[name] }

    func position(ofNumber number: UInt64) -> Int? { fields.firstIndex { UInt64($0.number) == number } }

    /// Returns the positions of the other fields of the oneof that a field belongs to.
    func positions(excludedBy position: Int) -> [Int] {
        guard let oneof = fields[position].oneof else { return [] }
        return fields.indices.filter { $0 != position && fields[$0].oneof == oneof }
    }
}

/// A field of a message.
struct JSONField: Sendable {
    /// The type of the field, or of its elements.
    enum Kind: Sendable {
        case bool
        case int32
        case int64
        case uint32
        case uint64
        case string
        case bytes
        case enumeration(JSONEnum)
        case message(JSONMessage)
        /// `google.protobuf.Timestamp`, which is a text in JSON, as are the next two.
        case timestamp
        case duration
        case fieldMask
    }

    let number: UInt32
    /// The name in the `.proto`: `page_size`.
    let name: String
    /// The name in JSON: `pageSize`.
    let jsonName: String
    let kind: Kind
    let isRepeated: Bool
    /// Whether its elements are the entries of a map, which is an object in JSON. Its keys are texts.
    let isMap: Bool
    /// The name of the oneof that the field belongs to, if it does.
    let oneof: String?

    init(
        _ number: UInt32,
        _ name: String,
        json jsonName: String? = nil,
        _ kind: Kind,
        isRepeated: Bool = false,
        isMap: Bool = false,
        oneof: String? = nil
    ) {
        self.number = number
        self.name = name
        self.jsonName = jsonName ?? name
        self.kind = kind
        self.isRepeated = isRepeated || isMap
        self.isMap = isMap
        self.oneof = oneof
    }
}

extension JSONField {
    /// Whether values are numbers in the encoding, so that several may be packed into one field.
    var isNumber: Bool {
        switch kind {
        case .bool, .int32, .int64, .uint32, .uint64, .enumeration: true
        case .string, .bytes, .message, .timestamp, .duration, .fieldMask: false
        }
    }

    /// Whether values are messages in the encoding.
    var isMessage: Bool {
        switch kind {
        case .message, .timestamp, .duration, .fieldMask: true
        case .bool, .int32, .int64, .uint32, .uint64, .enumeration, .string, .bytes: false
        }
    }

    /// Whether a field that is set to its default value is another thing than one that is not set.
    var hasPresence: Bool { !isRepeated && (isMessage || oneof != nil) }
}

/// The values of an enum.
struct JSONEnum: Sendable {
    let names: [Int32: String]
    let numbers: [String: Int32]

    init(_ values: [(Int32, String)]) {
        names = Dictionary(values) { first, _ in first }
        numbers = Dictionary(values.map { ($1, $0) }) { first, _ in first }
    }
}
