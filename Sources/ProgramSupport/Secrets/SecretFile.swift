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
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try FileBytes.read(descriptor, maximum: maximumByteCount + 1)
        } catch {
            throw unreadable(path, setting, error.number)
        }
        guard bytes.count <= maximumByteCount, let text = String(validating: bytes, as: UTF8.self) else {
            throw StartupError(.configuration, "\(setting): \(path) is no text, or larger than a file of keys can be")
        }
        return text
    }

    /// Reads the variable `name`, or the file that the variable `name_FILE` names. A file that was written by hand ends
    /// with a line break, so white space at both ends is dropped.
    ///
    /// - Parameters:
    ///   - name: The name of the variable.
    ///   - environment: Returns the value of a variable; nil if it is not set or empty.
    /// - Returns: The text and the name of its variable; nil if neither is set.
    /// - Throws: `StartupError` if both are set, or as `text` does. No message repeats the text.
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

    /// Returns whether only its owner may read a file; if that is root and the reader is not, its group may too. Clusters
    /// and service managers lay out secrets in that way for programs without privileges.
    static func isPrivate(mode: mode_t, owner: uid_t, reader: uid_t) -> Bool {
        let forbidden: mode_t = owner == 0 && reader != 0 ? 0o037 : 0o077
        return mode & forbidden == 0
    }

    private static func unreadable(_ path: String, _ setting: String, _ number: CInt = errno) -> StartupError {
        StartupError(.configuration, "\(setting): cannot read \(path): \(String(cString: strerror(number)))")
    }
}
