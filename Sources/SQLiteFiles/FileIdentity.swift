internal import CMarvelSystem

/// The device and inode stay the same when the file is renamed or modified.
///
/// The file's times are not read: that would make the next `fdatasync` slower, by 45 us of a commit.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    package init?(path: String) {
        var (device, inode): (UInt64, UInt64) = (0, 0)
        guard marvel_file_identity(path, &device, &inode) != 0 else { return nil }
        (self.device, self.inode) = (device, inode)
    }

    package init?(descriptor: CInt) {
        var (device, inode): (UInt64, UInt64) = (0, 0)
        guard marvel_open_file_identity(descriptor, &device, &inode) != 0 else { return nil }
        (self.device, self.inode) = (device, inode)
    }
}
