internal import CMarvelSystem
internal import Foundation

/// The device and inode of a file, which stay the same when the file is renamed or modified.
///
/// Reading it does not read the file's times, which would make the next `fdatasync` of the file slower. That was 45 us
/// of a commit, because the store looks its files up before and after each.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// Nil if there is no such file.
    package init?(path: String) {
        var (device, inode): (UInt64, UInt64) = (0, 0)
        guard marvel_file_identity(path, &device, &inode) != 0 else { return nil }
        (self.device, self.inode) = (device, inode)
    }

    /// Nil if the descriptor is not open.
    package init?(descriptor: CInt) {
        var (device, inode): (UInt64, UInt64) = (0, 0)
        guard marvel_open_file_identity(descriptor, &device, &inode) != 0 else { return nil }
        (self.device, self.inode) = (device, inode)
    }
}

package struct FileVersion: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t
    private let size: off_t
    private let modifiedSeconds: Int
    private let modifiedNanoseconds: Int

    /// Nil if there is no such file.
    package init?(path: String) {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        device = file.st_dev
        inode = file.st_ino
        size = file.st_size
        modifiedSeconds = file.st_mtim.tv_sec
        modifiedNanoseconds = file.st_mtim.tv_nsec
    }
}
