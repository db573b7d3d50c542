struct SchemaEntry: Hashable, CustomStringConvertible {
    let type: String
    let name: String
    private let table: String
    /// Nil for an index that SQLite made by itself.
    private let sql: [[UInt8]]?

    static func all(of db: Database, atMost maximum: Int = .max) throws -> [SchemaEntry] {
        try db.all("SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT ?", maximum) { row in
            SchemaEntry(
                type: try row.read(at: 0),
                name: try row.read(at: 1),
                table: try row.read(at: 2),
                sql: try row.readIfPresent(at: 3, as: String.self).map { SchemaEntry.tokens(Array($0.utf8)) }
            )
        }
    }

    /// The type and the name, also of a stranger's file: only printable characters, at most 100.
    var description: String {
        let text = "\(type) \(name)".prefix(100)
        return String(text.map { $0.asciiValue.map { (0x20...0x7E).contains($0) } == true ? $0 : "?" })
    }

    /// The tokens ignore comments, white space, and quotes around a name, which SQLite changes.
    private static func tokens(_ sql: [UInt8]) -> [[UInt8]] {
        var tokens: [[UInt8]] = []
        var rest = sql[...]
        while let first = rest.first {
            let token: ArraySlice<UInt8>
            if isSpace(first) {
                rest = rest.drop(while: isSpace)
                continue
            } else if rest.starts(with: "--".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
                continue
            } else if let quote = closingQuote(of: first) {
                let end = rest.dropFirst().firstIndex(of: quote) ?? rest.endIndex - 1
                token = rest[...end]
            } else {
                token = isWord(first) ? rest.prefix(while: isWord) : rest.prefix(1)
            }
            rest = rest.dropFirst(token.count)
            tokens.append(Array(isQuotedName(token) ? token.dropFirst().dropLast() : token))
        }
        return tokens
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: false
        }
    }

    private static func isQuotedName(_ token: ArraySlice<UInt8>) -> Bool {
        token.count > 2 && token.first == UInt8(ascii: "\"") && token.last == UInt8(ascii: "\"")
            && token.dropFirst().dropLast().allSatisfy(isWord)
    }

    private static func closingQuote(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): byte
        case UInt8(ascii: "["): UInt8(ascii: "]")
        default: nil
        }
    }
}
