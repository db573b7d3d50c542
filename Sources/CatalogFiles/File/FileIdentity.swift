internal import Foundation

/// The identity of a file's contents, read without opening the file. It changes if the file is replaced or modified.
struct FileIdentity: Sendable, Hashable {
    private let device: dev_t
    private let inode: ino_t
    private let size: off_t
    private let modifiedSeconds: Int
    private let modifiedNanoseconds: Int

    /// Reads the identity of a file; nil if there is no file of that name.
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
