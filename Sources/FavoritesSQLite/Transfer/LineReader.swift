internal import Foundation

/// A reader of the lines of a file. It keeps one line, and the bytes that were read after it.
struct LineReader {
    private static let pieceByteCount = 1 << 16

    private let descriptor: CInt
    private let maximumBytes: Int
    private var bytes: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// Of the last line, from 1 on; 0 before the first.
    private(set) var number = 0

    /// The caller opens and closes the file. `maximumBytes` is for a line.
    init(_ descriptor: CInt, maximumBytes: Int) {
        self.descriptor = descriptor
        self.maximumBytes = maximumBytes
    }

    enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        case lineTooLong(maximumBytes: Int)
        case notReadable(String)

        var description: String {
            switch self {
            case .lineTooLong(let maximum): "it has more than \(maximum) bytes"
            case .notReadable(let reason): "it cannot be read: \(reason)"
            }
        }
    }

    /// Without its line break; nil at the end. A last line without a line break is a line.
    mutating func next() throws(Failure) -> ArraySlice<UInt8>? {
        var searchedCount = 0
        while true {
            let unsearched = bytes[(start + searchedCount)...]
            if let end = unsearched.firstIndex(of: UInt8(ascii: "\n")) { return try line(upTo: end) }
            searchedCount = bytes.count - start
            guard searchedCount <= maximumBytes else { throw tooLong() }
            guard !isAtEnd else { return searchedCount == 0 ? nil : try line(upTo: bytes.count) }
            try readPiece()
        }
    }

    private mutating func line(upTo end: Int) throws(Failure) -> ArraySlice<UInt8> {
        guard end - start <= maximumBytes else { throw tooLong() }
        defer { start = min(end + 1, bytes.count) }
        number += 1
        return bytes[start..<end]
    }

    private mutating func tooLong() -> Failure {
        number += 1
        return .lineTooLong(maximumBytes: maximumBytes)
    }

    private mutating func readPiece() throws(Failure) {
        bytes.removeFirst(start)
        start = 0
        let before = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: LineReader.pieceByteCount))
        let count = bytes.withUnsafeMutableBytes { buffer in
            var count = 0
            repeat {
                count = read(descriptor, buffer.baseAddress.map { $0 + before }, LineReader.pieceByteCount)
            } while count < 0 && errno == EINTR
            return count
        }
        let reason = count < 0 ? String(cString: strerror(errno)) : ""
        bytes.removeLast(LineReader.pieceByteCount - max(count, 0))
        guard count >= 0 else {
            number += 1
            throw .notReadable(reason)
        }
        isAtEnd = count == 0
    }
}
