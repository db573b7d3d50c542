internal import CMarvelSystem

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
