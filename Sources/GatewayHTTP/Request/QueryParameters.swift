import MarvelDomain
internal import Upstream

/// Parameters in the order received, decoded as PHP decodes them.
struct QueryParameters: Sendable, Hashable {
    struct Parameter: Sendable, Hashable {
        let name: String
        let value: String
    }

    let all: [Parameter]

    /// `name=Hulk&limit=5`. A name without `=` has an empty value.
    init(_ query: some StringProtocol) {
        self.all = QueryParameters.comparable(query).split(separator: "&").map { pair in
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            return Parameter(
                name: QueryParameters.decoded(pair[..<equals]),
                value: QueryParameters.decoded(pair[equals...].dropFirst())
            )
        }
    }

    /// A later parameter replaces an earlier one.
    subscript(name: String) -> String? {
        all.last { $0.name == name }?.value
    }

    func values(_ name: String) -> [String] {
        all.filter { $0.name == name }.map(\.value)
    }

    /// A text with too many combining marks in a row becomes a replacement character.
    private static func comparable(_ text: some StringProtocol) -> String {
        text.hasShortMarkRuns ? String(text) : "\u{FFFD}"
    }

    /// A `%` without two digits is kept. Bytes that are not UTF-8 become replacement characters.
    private static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let (high, low) = hexPair(rest.prefix(2)) {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return comparable(String(decoding: bytes, as: UTF8.self))
    }

    private static func hexPair(_ digits: some Collection<UInt8>) -> (UInt8, UInt8)? {
        let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return values.count == 2 ? (UInt8(values[0]), UInt8(values[1])) : nil
    }
}

extension QueryParameters {
    static let defaultLimit = 20
    static let maximumLimit = 100
    static let maximumIDs = 10

    /// The first ones are of every request.
    private static let commonNames: Set<String> = [
        "apikey", "ts", "hash", "callback", "modifiedSince", "orderBy", "limit", "offset",
    ]

    /// Throws `.unknown` with the first unknown name.
    func checkNames(_ names: Set<String>, _ filters: [ResourceKind]) throws(ParameterError) {
        let unknown = all.map(\.name).first { name in
            !QueryParameters.commonNames.contains(name) && !names.contains(name)
                && !filters.contains { $0.rawValue == name }
        }
        if let unknown { throw .unknown(unknown) }
    }

    /// A blank text is every value that PHP calls empty, `0` included, and white space alone.
    func text(_ name: String) throws(ParameterError) -> String? {
        guard let text = self[name] else { return nil }
        guard text != "0", !text.allSatisfy(\.isWhitespace) else { throw .blank(name) }
        return text
    }

    func limit() throws(ParameterError) -> Int {
        guard let text = self["limit"] else { return QueryParameters.defaultLimit }
        let limit = text.leadingInteger ?? 0
        guard limit >= 1 else { throw .limitNotPositive }
        guard limit <= QueryParameters.maximumLimit else { throw .limitTooLarge }
        return limit
    }

    var offset: Int { max(self["offset"]?.leadingInteger ?? 0, 0) }

    /// Invalid ids are ignored if at least one id is valid. By default the parameter is named like the kind.
    func ids(of kind: ResourceKind, _ name: String? = nil) throws(ParameterError) -> [Int64]? {
        let values = values(name ?? kind.rawValue)
        guard !values.isEmpty else { return nil }
        let ids = values.flatMap { $0.split(separator: ",") }.compactMap(\.leadingInteger).filter { $0 > 0 }
        guard !ids.isEmpty else { throw .noValidID(kind) }
        guard ids.count <= QueryParameters.maximumIDs else { throw .tooManyIDs(kind) }
        return ids.map(Int64.init)
    }

    func modifiedSince() throws(ParameterError) -> Timestamp? {
        guard let text = self["modifiedSince"] else { return nil }
        guard let date = MarvelDate.queryDate(text) else { throw .invalidDate }
        return date
    }

    /// Words with commas between, each with `-` before it for the descending order. A field counts once. Nil without
    /// the parameter. Throws `.unknownOrdering` with the first invalid word.
    func order(of kind: ResourceKind) throws(ParameterError) -> [DocumentQuery.Order]? {
        guard let text = self["orderBy"] else { return nil }
        var order: [DocumentQuery.Order] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var word = part.drop(while: \.isWhitespace)
            while word.last?.isWhitespace == true { word.removeLast() }
            let isDescending = word.hasPrefix("-")
            let name = String(isDescending ? word.dropFirst() : word)
            guard kind.orderWords.contains(name) else { throw .unknownOrdering(String(word)) }
            let field = kind.field(name)
            guard !order.contains(where: { $0.field == field }) else { continue }
            order.append(DocumentQuery.Order(field: field, isDescending: isDescending))
        }
        return order
    }
}

extension StringProtocol {
    /// Reads a number as PHP does: white space before it and any text after it are ignored, so that `12abc` is 12. A
    /// number that is out of range is clamped.
    var leadingInteger: Int? {
        var rest = utf8.drop { [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains($0) }
        var isNegative = false
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            rest = rest.dropFirst()
        }
        let digits = rest.prefix(while: \.isDigit)
        guard !digits.isEmpty else { return nil }
        let text = String(decoding: digits, as: UTF8.self)
        return Int(isNegative ? "-" + text : text) ?? (isNegative ? .min : .max)
    }
}
