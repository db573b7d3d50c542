/// An input line, or the end of the input.
package enum PlainLine: Sendable, Hashable {
    /// The text of a line, without the line end.
    case text(String)
    /// A line that is longer than `LineCutter.limit`. Its text was dropped.
    case tooLong
    /// The end of the input.
    case end
}

/// A splitter of input into lines of bounded length.
package struct LineCutter: Sendable {
    /// The maximum of bytes in a line.
    package static let limit = 4096

    private var lines: [PlainLine] = []
    private var bytes: [UInt8] = []
    private var isTooLong = false

    package init() {}

    /// Removes the next whole line and returns it, if there is one.
    package mutating func next() -> PlainLine? { lines.isEmpty ? nil : lines.removeFirst() }

    package mutating func read(_ new: some Sequence<UInt8>) {
        for byte in new {
            guard byte != UInt8(ascii: "\n") else { endLine(); continue }
            if bytes.count < LineCutter.limit { bytes.append(byte) } else { isTooLong = true }
        }
    }

    /// Ends the input. Remaining bytes become the last line, even without a line end.
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
