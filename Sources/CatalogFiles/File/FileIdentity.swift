internal import Foundation

/// What tells one file from another that took its name, or from itself with other contents, without opening it.
struct FileIdentity: Sendable, Hashable {
    private let device: dev_t
    private let inode: ino_t
    private let size: off_t
    private let modifiedSeconds: Int
    private let modifiedNanoseconds: Int

    /// Nil if there is no file of that name.
    init?(_ path: String) {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        device = file.st_dev
        inode = file.st_ino
        size = file.st_size
        modifiedSeconds = file.st_mtim.tv_sec
        modifiedNanoseconds = file.st_mtim.tv_nsec
    }
}
