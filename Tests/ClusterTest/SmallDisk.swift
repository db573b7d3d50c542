import Foundation
import Glibc
import LongRuns

/// A file system in memory for a database, which can be filled to its last byte. Only root can mount one.
struct SmallDisk {
    private static let size = "size=1g"

    let folder: String
    private var filler: String { folder + "/filler" }

    /// Mounts the file system at a folder, until the end of the run.
    ///
    /// - Returns: nil if it cannot be mounted.
    init?(at folder: String, user: DatabaseUser, cleaner: Cleaner) {
        guard geteuid() == 0, mount("tmpfs", folder, "tmpfs", 0, Self.size) == 0 else { return nil }
        cleaner.mounted(folder)
        self.folder = folder
        // The mounted folder has an owner of its own.
        guard (try? user.own(folder)) != nil else { return nil }
    }

    /// Writes until nothing more has room.
    func fill() throws {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw RunError("the disk cannot be filled: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 1 << 20)
        var step = block.count
        while step > 0 {
            guard write(descriptor, block, step) < step else { continue }
            guard errno == ENOSPC || step > 1 else {
                throw RunError("the disk cannot be filled: \(String(cString: strerror(errno)))")
            }
            step /= 2
        }
    }

    func makeRoom() throws { try FileManager.default.removeItem(atPath: filler) }
}
