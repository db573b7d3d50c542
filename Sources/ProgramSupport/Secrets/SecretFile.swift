internal import Glibc
internal import RPCCore

/// A reader of files that nobody may read but their owner.
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
        guard isPrivate(mode: status.st_mode, owner: status.st_uid, reader: geteuid()) else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw StartupError(.configuration, "\(setting): \(path) has mode 0\(mode), expected 0600: chmod 600 it")
        }
        guard let bytes = bytes(descriptor) else { throw unreadable(path, setting) }
        guard bytes.count <= maximumByteCount, let text = String(validating: bytes, as: UTF8.self) else {
            throw StartupError(.configuration, "\(setting): \(path) is no text, or larger than a file of keys can be")
        }
        return text
    }

    /// Reads to the end, or to the first byte above the maximum. A pipe gives its content in parts. Nil if it fails; then
    /// `errno` has the reason.
    private static func bytes(_ descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count <= maximumByteCount {
            let count = read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += part.prefix(count)
        }
        return bytes
    }

    /// Returns whether only its owner may read a file; if that is root and the reader is not, its group may too. Clusters
    /// and service managers lay out secrets in that way for programs without privileges.
    static func isPrivate(mode: mode_t, owner: uid_t, reader: uid_t) -> Bool {
        let forbidden: mode_t = owner == 0 && reader != 0 ? 0o037 : 0o077
        return mode & forbidden == 0
    }

    private static func unreadable(_ path: String, _ setting: String) -> StartupError {
        StartupError(.configuration, "\(setting): cannot read \(path): \(String(cString: strerror(errno)))")
    }
}
