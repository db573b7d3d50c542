internal import Glibc

/// Files that are read together: again when one has changed, and as long as the last read failed.
package struct FollowedFiles: Sendable {
    /// The files as far as the file system tells, without their contents.
    package struct Version: Sendable, Hashable {
        /// Nil for an absent file.
        fileprivate let stamps: [FileStamp?]
    }

    private let paths: [String]
    private var known: Version
    private var failure: String?

    /// Call it before the first read, so that a file that changes meanwhile is read again.
    package init(_ paths: [String]) {
        self.paths = paths
        known = Version(stamps: paths.map(FileStamp.init))
    }

    /// The version to report after a read. It costs a `stat` of each file.
    package var version: Version { Version(stamps: paths.map(FileStamp.init)) }

    /// The present version; nil if the files need not be read.
    package var versionToRead: Version? {
        let version = version
        return failure != nil || version != known ? version : nil
    }

    /// Whether the last read failed, and has to be repeated.
    package var hasFailed: Bool { failure != nil }

    /// Notes a read that is not to be repeated until a file changes. `version` is from before it.
    package mutating func wereRead(_ version: Version) {
        known = version
        failure = nil
    }

    /// Notes a failed read, which is to be repeated. `version` is from before it.
    ///
    /// - Returns: Whether the failure is new: another reason than the last time, or other files.
    package mutating func failed(_ version: Version, reason: String) -> Bool {
        let isNew = failure != reason || version != known
        known = version
        failure = reason
        return isNew
    }
}

/// The identity of a file's content and permissions. A link counts as the file that it leads to.
private struct FileStamp: Sendable, Hashable {
    private let file: [UInt64]
    private let modified: [UInt8]
    private let byteCount: Int64
    /// The mode and the owner: with others, a file that was refused may be accepted.
    private let access: [UInt32]

    /// Nil if there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        file = [UInt64(status.st_dev), UInt64(status.st_ino)]
        modified = withUnsafeBytes(of: status.st_mtim) { Array($0) }
        byteCount = Int64(status.st_size)
        access = [status.st_mode, status.st_uid, status.st_gid]
    }
}
