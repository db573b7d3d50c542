/// A reader of comma-separated values (RFC 4180), in which no field contains a line break.
struct CSVRows: ~Copyable {
    enum Found: Hashable {
        case row([String], line: Int)
        case broken(String, line: Int)
    }

    static let maximumByteCount = 1 << 20

    private var input: ByteReader

    init(_ input: consuming ByteReader) { self.input = input }

    /// The number of bytes that were read so far.
    var readCount: Int { input.readCount }

    /// Reads the next row. Empty lines are skipped.
    mutating func next() throws(ImportedFileError) -> Found? {
        while try input.peek() != nil {
            let line = input.line
            var bytes: [UInt8] = []
            try input.take(into: &bytes) { _ in true }
            if try input.peek() != nil { input.skip() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            if !bytes.isEmpty { return CSVRows.row(bytes, line) }
        }
        return nil
    }

    private static func row(_ bytes: [UInt8], _ line: Int) -> Found {
        guard bytes.count <= maximumByteCount else { return .broken("it has more than a million bytes", line: line) }
        guard let text = String(validating: bytes, as: UTF8.self) else { return .broken("it is not UTF-8", line: line) }
        guard let fields = fields(text) else { return .broken("a quotation mark is not closed", line: line) }
        return .row(fields, line: line)
    }

    /// Splits a row into fields; nil if a quoted field does not end, or does not end with its quote.
    static func fields(_ row: String) -> [String]? {
        let quote = UInt8(ascii: "\"")
        let comma = UInt8(ascii: ",")
        var fields: [String] = []
        var rest = Array(row.utf8)[...]
        while true {
            var field: [UInt8] = []
            if rest.first == quote {
                rest = rest.dropFirst()
                while true {
                    guard let end = rest.firstIndex(of: quote) else { return nil }
                    field += rest[..<end]
                    rest = rest[end...].dropFirst()
                    guard rest.first == quote else { break }
                    field.append(quote)
                    rest = rest.dropFirst()
                }
                guard rest.isEmpty || rest.first == comma else { return nil }
            } else {
                let end = rest.firstIndex(of: comma) ?? rest.endIndex
                field += rest[..<end]
                rest = rest[end...]
            }
            fields.append(String(decoding: field, as: UTF8.self))
            guard !rest.isEmpty else { return fields }
            rest = rest.dropFirst()
        }
    }
}
