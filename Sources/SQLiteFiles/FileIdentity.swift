internal import Foundation

/// The device and inode of a file, which stay the same when the file is renamed or modified.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Reads the identity of a file. Nil if there is no file of that name.
    package init?(path: String) {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        self.init(file)
    }

    /// Reads the identity of an open file. Nil if the descriptor is not open.
    package init?(descriptor: CInt) {
        var file = stat()
        guard fstat(descriptor, &file) == 0 else { return nil }
        self.init(file)
    }

    fileprivate init(_ file: stat) {
        device = file.st_dev
        inode = file.st_ino
    }
}

/// The version of a file's contents, read without opening the file. It changes if the file is replaced or modified.
package struct FileVersion: Hashable, Sendable {
    private let identity: FileIdentity
    private let size: off_t
    private let modifiedSeconds: Int
    private let modifiedNanoseconds: Int

    /// Reads the version of a file. Nil if there is no file of that name.
    package init?(path: String) {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        identity = FileIdentity(file)
        size = file.st_size
        modifiedSeconds = file.st_mtim.tv_sec
        modifiedNanoseconds = file.st_mtim.tv_nsec
    }
}
