import Foundation
import Glibc

/// A file system in memory, which can be filled to its last byte. Only root can mount one.
struct SmallDisk {
    private let filler: String

    /// Mounts the file system at a folder, until the end of the trial. Nil if it cannot be mounted.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - size: Its size, as mount(8) takes it.
    ///   - cleaner: Unmounts it.
    init?(at folder: String, size: String, cleaner: Cleaner) {
        guard geteuid() == 0, mount("tmpfs", folder, "tmpfs", 0, "size=\(size)") == 0 else { return nil }
        cleaner.mounted(folder)
        filler = folder + "/filler"
    }

    /// Writes until nothing more has room.
    func fill() throws {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw RunError("cannot make \(filler)") }
        defer { close(descriptor) }
        for size in [1 << 20, 4096, 1] {
            let bytes = [UInt8](repeating: 0, count: size)
            while write(descriptor, bytes, size) > 0 {}
        }
        guard errno == ENOSPC else { throw RunError("cannot fill the disk (errno \(errno))") }
    }

    func makeRoom() throws { try FileManager.default.removeItem(atPath: filler) }
}
