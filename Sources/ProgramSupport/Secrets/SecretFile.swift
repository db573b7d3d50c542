internal import Glibc
internal import RPCCore

/// A reader of files that only their owner may read.
enum SecretFile {
    /// Above any sensible number of keys.
    static let maximumByteCount = 1 << 20

    /// `path` may be a link. `setting` is the variable that named the file, for the messages.
    ///
    /// - Throws: `StartupError` if the file cannot be read, is too large, is not text, or is readable by others.
    static func text(_ path: String, _ setting: String) throws(StartupError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, setting) }
        defer { close(descriptor) }
        // The mode is that of the open file: the file at the path could be replaced between a check and the opening.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, setting) }
        guard isPrivate(mode: status.st_mode, owner: status.st_uid, reader: geteuid()) else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw StartupError(.configuration, "\(setting): \(path) has mode 0\(mode), expected 0600: chmod 600 it")
        }
        guard let bytes = InputFile.bytes(of: descriptor, maximum: maximumByteCount + 1) else {
            throw unreadable(path, setting)
        }
        guard bytes.count <= maximumByteCount, let text = String(validating: bytes, as: UTF8.self) else {
            throw StartupError(.configuration, "\(setting): \(path) is not text, or too large for a key file")
        }
        return text
    }

    /// Reads the variable `name`, or the file in the variable `name_FILE`. White space at both ends is dropped, because
    /// editors end a file with a line break. `environment` returns nil for a variable that is not set, or empty.
    ///
    /// - Returns: The text and the name of its variable; nil if neither is set.
    /// - Throws: `StartupError` if both are set, or like `text`. No message repeats the text.
    static func text(
        named name: String,
        _ environment: (String) -> String?
    ) throws(StartupError) -> (text: String, setting: String)? {
        switch (environment(name), environment(name + "_FILE")) {
        case (nil, nil): return nil
        case (.some, .some): throw StartupError(.configuration, "set \(name) or \(name)_FILE, not both")
        case (let text?, nil): return (text, name)
        case (nil, let path?):
            let text = try text(path, name + "_FILE").drop(while: \.isWhitespace)
            let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex
            return (String(text[..<end]), name + "_FILE")
        }
    }

    /// Whether only its owner may read a file. If that is root and the reader is not, its group may too: clusters and
    /// service managers store secrets in that way for programs without privileges.
    static func isPrivate(mode: mode_t, owner: uid_t, reader: uid_t) -> Bool {
        let forbidden: mode_t = owner == 0 && reader != 0 ? 0o037 : 0o077
        return mode & forbidden == 0
    }

    private static func unreadable(_ path: String, _ setting: String) -> StartupError {
        StartupError(.configuration, "\(setting): cannot read \(path): \(String(cString: strerror(errno)))")
    }
}
