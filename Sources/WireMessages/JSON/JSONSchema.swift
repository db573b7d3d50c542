/// A table of fields. The tables of the services' messages are generated.
struct JSONMessage: Sendable {
    /// In the order of writing.
    let fields: [JSONField]
    /// Keys are the accepted names: JSON's and the `.proto`'s.
    private let positions: [String: Int]

    init(_ fields: [JSONField] = []) {
        self.fields = fields
        let names = fields.enumerated().flatMap { [($1.name, $0), ($1.jsonName, $0)] }
        positions = Dictionary(names) { first, _ in first }
    }

    func position(of name: String) -> Int? { positions[name] }

    func position(ofNumber number: UInt64) -> Int? { fields.firstIndex { UInt64($0.number) == number } }

    func positions(excludedBy position: Int) -> [Int] {
        guard let oneof = fields[position].oneof else { return [] }
        return fields.indices.filter { $0 != position && fields[$0].oneof == oneof }
    }
}

struct JSONField: Sendable {
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
        /// A text in JSON, like the next two.
        case timestamp
        case duration
        case fieldMask
    }

    let number: UInt32
    /// In the `.proto`: `page_size`.
    let name: String
    /// In JSON: `pageSize`.
    let jsonName: String
    let kind: Kind
    let isRepeated: Bool
    /// The elements are entries of a map with texts as keys, an object in JSON.
    let isMap: Bool
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
    /// Numbers may be packed.
    var isNumber: Bool {
        switch kind {
        case .bool, .int32, .int64, .uint32, .uint64, .enumeration: true
        case .string, .bytes, .message, .timestamp, .duration, .fieldMask: false
        }
    }

    var isMessage: Bool {
        switch kind {
        case .message, .timestamp, .duration, .fieldMask: true
        case .bool, .int32, .int64, .uint32, .uint64, .enumeration, .string, .bytes: false
        }
    }

    /// Whether a default value differs from an unset field.
    var hasPresence: Bool { !isRepeated && (isMessage || oneof != nil) }
}

struct JSONEnum: Sendable {
    let names: [Int32: String]
    let numbers: [String: Int32]

    init(_ values: [(Int32, String)]) {
        names = Dictionary(values) { first, _ in first }
        numbers = Dictionary(values.map { ($1, $0) }) { first, _ in first }
    }
}
