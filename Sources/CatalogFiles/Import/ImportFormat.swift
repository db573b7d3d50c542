/// The format of an imported file. It is recognized by the file's first bytes and not by its name.
enum ImportFormat: Hashable {
    case json
    case wikia
    case catalog

    /// Recognizes the format of a file.
    ///
    /// - Throws: `.notRecognized` with the format that the file seems to have instead.
    init(_ input: inout ByteReader) throws(ImportedFileError) {
        let start = Array(try input.peek(4096))
        if let other = ImportFormat.others.first(where: { start.starts(with: $0.start) }) {
            throw .notRecognized(other.name)
        }
        if start.starts(with: ImportFormat.byteOrderMark) { for _ in 0..<3 { input.skip() } }
        let text = start.starts(with: ImportFormat.byteOrderMark) ? start.dropFirst(3) : start[...]
        let first = text.first { $0 > UInt8(ascii: " ") }
        if text.starts(with: "SQLite format 3\0".utf8) {
            self = .catalog
        } else if text.starts(with: "page_id,name,urlslug,".utf8) {
            self = .wikia
        } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            self = .json
        } else if first == nil {
            throw .notRecognized("it is empty")
        } else {
            throw .notRecognized("it is none of the formats that can be imported")
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static let others: [(start: [UInt8], name: String)] = [
        ([0x1F, 0x8B], "it is compressed by gzip: unpack it first"),
        (Array("PK\u{3}\u{4}".utf8), "it is a zip archive: unpack it first"),
        (Array("BZh".utf8), "it is compressed by bzip2: unpack it first"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "it is compressed by xz: unpack it first"),
        ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed by zstd: unpack it first"),
        ([0xFF, 0xFE], "it is UTF-16: convert it to UTF-8 first"),
        ([0xFE, 0xFF], "it is UTF-16: convert it to UTF-8 first"),
    ]
}
