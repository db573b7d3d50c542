internal import Foundation

/// A small file system of its own in a temporary folder. For root alone: chmod does not stop root, and only a file
/// system of one's own can be filled without harm.
package enum SmallDisk {
    /// Whether this process may mount: root, with the capability, which containers often take away.
    package static let isAvailable: Bool = {
        guard let folder = try? TemporaryFolder(), mountDisk(at: folder.url.path, kibibytes: 64) else { return false }
        umount2(folder.url.path, detach)
        return true
    }()

    package static func with<Value>(
        kibibytes: Int,
        _ body: (_ path: String) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        guard mountDisk(at: folder.url.path, kibibytes: kibibytes) else { throw POSIXError(.EPERM) }
        defer { umount2(folder.url.path, detach) }
        return try await body(folder.url.path)
    }

    package static func makeReadOnly(_ path: String) throws {
        guard mount("tmpfs", path, "tmpfs", remount | readOnly, nil) == 0 else { throw POSIXError(.EPERM) }
    }

    private static func mountDisk(at path: String, kibibytes: Int) -> Bool {
        mount("tmpfs", path, "tmpfs", 0, "size=\(kibibytes)k") == 0
    }

    // MS_RDONLY, MS_REMOUNT and MNT_DETACH of mount(2), which are macros or enumerations by platform.
    private static let readOnly: UInt = 1
    private static let remount: UInt = 32
    private static let detach: CInt = 2
}
