internal import Foundation

/// A file system of its own, which can be filled without harm. For root alone.
enum SmallDisk {
    /// Whether this process may mount: root, with the capability, which containers often take away.
    static let isAvailable: Bool = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
        guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil
        else { return false }
        defer { try? FileManager.default.removeItem(at: folder) }
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=64k") == 0 else { return false }
        umount2(folder.path, detach)
        return true
    }()

    static func with<Value>(kibibytes: Int, _ body: (_ folder: URL) async throws -> Value) async throws -> Value {
        try await withTemporaryFolder { folder in
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(kibibytes)k") == 0 else { throw POSIXError(.EPERM) }
            defer { umount2(folder.path, detach) }
            return try await body(folder)
        }
    }

    // MNT_DETACH of mount(2), which is a macro or an enumeration by platform.
    private static let detach: CInt = 2
}
