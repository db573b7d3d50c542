internal import Glibc

package enum InputFile {
    /// `-` is standard input. Of a larger file, `maximum` + 1 bytes are read.
    ///
    /// - Throws: `Failure`.
    package static func read(_ path: String, maximum: Int) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: path, number: errno) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        do throws(Errno) {
            return try bytes(of: descriptor, maximum: maximum + 1)
        } catch {
            throw Failure(path: path, number: error.number)
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        let path: String
        let number: CInt

        package var reason: String { String(cString: strerror(number)) }
        package var description: String { "cannot read \(path): \(reason)" }
    }

    /// To its end, or the first `maximum` bytes.
    package static func bytes(of descriptor: CInt, maximum: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(maximum, 64 * 1024))
        while bytes.count < maximum {
            let count = Glibc.read(descriptor, &piece, min(piece.count, maximum - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Errno(number: errno) }
            guard count > 0 else { break }
            bytes += piece.prefix(count)
        }
        return bytes
    }
}

package struct Errno: Error {
    package let number: CInt
}
