internal import Glibc
internal import RPCCore

/// A reader of files that only their owner may read.
enum SecretFile {
    /// The maximum size, above any sensible number of keys.
    static let maximumByteCount = 1 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file; a link is followed.
    ///   - setting: The variable that named the file, for the messages.
    /// - Returns: The file's text.
    /// - Throws: `StartupError` if the file cannot be read, is too large, is not text, or is readable by others.
    static func text(_ path: String, _ setting: String) throws(StartupError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, setting) }
        defer { close(descriptor) }
        // The mode is read from the open file, because the file could be replaced between a check of its path and its
        // opening.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, setting) }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw StartupError(.configuration, "\(setting): \(path) has mode 0\(mode), expected 0600: chmod 600 it")
        }
        var bytes = [UInt8](repeating: 0, count: maximumByteCount + 1)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw unreadable(path, setting) }
        guard count <= maximumByteCount, let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw StartupError(.configuration, "\(setting): \(path) is no text, or larger than a file of keys can be")
        }
        return text
    }

    private static func unreadable(_ path: String, _ setting: String) -> StartupError {
        StartupError(.configuration, "\(setting): cannot read \(path): \(String(cString: strerror(errno)))")
    }
}
