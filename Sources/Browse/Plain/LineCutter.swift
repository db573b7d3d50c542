/// What comes of reading a line.
package enum PlainLine: Sendable, Hashable {
    /// Without its end.
    case text(String)
    /// More than anybody types: nothing of it was kept.
    case tooLong
    /// There are no more lines.
    case end
}

/// Cuts what is read into lines, and keeps no more of one than a person would type.
package struct LineCutter: Sendable {
    /// Bytes in a line.
    package static let limit = 4096

    private var lines: [PlainLine] = []
    private var bytes: [UInt8] = []
    private var isTooLong = false

    package init() {}

    /// The next whole line, if there is one.
    package mutating func next() -> PlainLine? { lines.isEmpty ? nil : lines.removeFirst() }

    package mutating func read(_ new: some Sequence<UInt8>) {
        for byte in new {
            guard byte != UInt8(ascii: "\n") else { endLine(); continue }
            if bytes.count < LineCutter.limit { bytes.append(byte) } else { isTooLong = true }
        }
    }

    /// Nothing more comes: what is there is the last line, though nothing ends it.
    package mutating func end() {
        if !bytes.isEmpty { endLine() }
        lines.append(.end)
    }

    private mutating func endLine() {
        lines.append(isTooLong ? .tooLong : .text(String(decoding: bytes, as: UTF8.self)))
        bytes = []
        isTooLong = false
    }
}
