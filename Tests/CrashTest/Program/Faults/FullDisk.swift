import Foundation
import Glibc
import LongRuns
import MarvelClient

/// The disk, a small one in memory, becomes full while the server runs, and has space again later.
struct FullDisk: Fault {
    private let filler: String

    init(_ stage: Stage) throws {
        guard mount("tmpfs", stage.storeFolder, "tmpfs", 0, "size=32m") == 0 else {
            throw RunError("only root can mount the small disk that this fault needs (errno \(errno))")
        }
        stage.cleaner.mounted(stage.storeFolder)
        filler = stage.storeFolder + "/filler"
    }

    func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws {
        try await Task.sleep(for: delay)
        try fill()
        try await wait(for: "every client to be told that the disk is full") { signs.endedCount == signs.size }
        try await stage.checkReads(of: signs.lists)
    }

    /// Nothing but space.
    func recover(_ stage: Stage) async throws {
        guard unlink(filler) == 0 else { throw RunError("cannot remove \(filler)") }
    }

    private func fill() throws {
        let descriptor = open(filler, O_WRONLY | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw RunError("cannot make \(filler)") }
        defer { close(descriptor) }
        for size in [1 << 20, 4096, 1] {
            let bytes = [UInt8](repeating: 0, count: size)
            while write(descriptor, bytes, size) > 0 {}
        }
        guard errno == ENOSPC else { throw RunError("cannot fill the disk (errno \(errno))") }
    }
}
