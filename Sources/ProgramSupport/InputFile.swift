internal import Glibc

package enum InputFile {
    /// `-` is standard input. Of a larger file, `maximum` + 1 bytes are read.
    package static func read(_ path: String, maximum: Int) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor > STDIN_FILENO { close(descriptor) } }
        guard let bytes = bytes(of: descriptor, maximum: maximum + 1) else {
            throw Failure(path: path, reason: String(cString: strerror(errno)))
        }
        return bytes
    }

    /// Reads text in UTF-8 of at most `maximum` bytes. `-` is standard input.
    package static func text(_ path: String, maximum: Int) throws(Failure) -> String {
        let bytes = try read(path, maximum: maximum)
        guard bytes.count <= maximum else {
            throw Failure(path: path, reason: "it is longer than \(maximum) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(path: path, reason: "it is not valid UTF-8")
        }
        return text
    }

    package struct Failure: Error, CustomStringConvertible {
        let path: String
        package let reason: String

        package var description: String { "cannot read \(path): \(reason)" }
    }

    /// Nil if it cannot be read: `errno` is the reason.
    static func bytes(of descriptor: CInt, maximum: Int) -> [UInt8]? {
        guard descriptor >= 0 else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(maximum, 64 * 1024))
        while bytes.count < maximum {
            let count = Glibc.read(descriptor, &piece, min(piece.count, maximum - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += piece.prefix(count)
        }
        return bytes
    }
}
