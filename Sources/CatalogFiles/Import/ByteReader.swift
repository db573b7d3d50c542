internal import Foundation

/// A buffered reader of a file's bytes that counts lines.
struct ByteReader: ~Copyable {
    private static let pieceByteCount = 1 << 18

    /// The number of the line that contains the next byte, from 1.
    private(set) var line = 1
    /// The number of bytes that were read from the file so far.
    private(set) var readCount = 0
    private let descriptor: CInt
    private var piece: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// Opens a file, which must be a regular one or standard input.
    ///
    /// - Throws: `ImportedFileError`.
    init(_ path: String) throws(ImportedFileError) {
        let isStandardInput = path == InputFiles.standardInput
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | (isStandardInput ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw .notReadable(String(cString: strerror(errno))) }
        var status = stat()
        guard isStandardInput || (fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG) else {
            throw .notReadable("it is not a regular file")
        }
    }

    deinit { close(descriptor) }

    /// Returns the next bytes without consuming them: `count` bytes, or fewer at the end. `count` should be small.
    mutating func peek(_ count: Int) throws(ImportedFileError) -> ArraySlice<UInt8> {
        while piece.count - position < count, !isAtEnd { try readMore() }
        return piece[position..<min(position + count, piece.count)]
    }

    /// Returns the next byte without consuming it; nil at the end.
    mutating func peek() throws(ImportedFileError) -> UInt8? {
        if position == piece.count, !isAtEnd { try readMore() }
        return position < piece.count ? piece[position] : nil
    }

    /// Consumes the byte that `peek` returned.
    mutating func skip() {
        if piece[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    /// Consumes bytes while `isWanted` is true, up to a line break, and appends them to `bytes`.
    mutating func take(
        into bytes: inout [UInt8],
        while isWanted: (UInt8) -> Bool
    ) throws(ImportedFileError) {
        while try peek() != nil {
            let end = piece[position...].firstIndex { !isWanted($0) || $0 == UInt8(ascii: "\n") } ?? piece.count
            bytes += piece[position..<end]
            position = end
            guard end == piece.count else { return }
        }
    }

    private mutating func readMore() throws(ImportedFileError) {
        piece.removeFirst(position)
        position = 0
        let old = piece.count
        let descriptor = descriptor
        var count = 0
        piece.reserveCapacity(old + ByteReader.pieceByteCount)
        let added = [UInt8](unsafeUninitializedCapacity: ByteReader.pieceByteCount) { buffer, initialized in
            repeat { count = read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
            initialized = max(count, 0)
        }
        guard count >= 0 else { throw .notReadable(String(cString: strerror(errno))) }
        piece += added
        readCount += count
        isAtEnd = count == 0
    }
}

/// The reason why a file has no records, or no more of them.
enum ImportedFileError: Error, Hashable, CustomStringConvertible {
    case notReadable(String)
    case notRecognized(String)

    var description: String {
        switch self {
        case .notReadable(let reason): "it cannot be read: \(reason)"
        case .notRecognized(let reason): reason
        }
    }
}
