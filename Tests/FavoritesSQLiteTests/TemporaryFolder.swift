internal import Foundation
internal import Testing

/// A folder for each test of a suite, which is removed when the test ends.
struct TemporaryFolder: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal fileprivate static var current: String?

    let isRecursive = true

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in try await Self.$current.withValue(folder) { try await body() } }
    }
}

extension Trait where Self == TemporaryFolder {
    static var temporaryFolder: Self { TemporaryFolder() }
}

/// The folder of the running test.
var folder: String {
    guard let current = TemporaryFolder.current else { preconditionFailure("the suite has no temporary folder") }
    return current
}

/// The path of the store of the running test.
var path: String { "\(folder)/favorites.db" }

/// A folder that is gone when the body ends.
func withTemporaryFolder<Value>(_ body: (_ path: String) async throws -> Value) async throws -> Value {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}

private func makeTemporaryFolder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.path + "/favorites-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
}

/// A small file system of its own in a temporary folder. For root alone: chmod does not stop root, and only a file
/// system of one's own can be filled without harm.
enum TemporaryFileSystem {
    /// Whether this process may mount: root, with the capability, which containers often take away.
    static let isAvailable: Bool = {
        guard let folder = try? makeTemporaryFolder() else { return false }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard mount("tmpfs", folder, "tmpfs", 0, "size=64k") == 0 else { return false }
        umount2(folder, detach)
        return true
    }()

    static func with<Value>(kibibytes: Int, _ body: (_ path: String) async throws -> Value) async throws -> Value {
        try await withTemporaryFolder { folder in
            guard mount("tmpfs", folder, "tmpfs", 0, "size=\(kibibytes)k") == 0 else { throw POSIXError(.EPERM) }
            defer { umount2(folder, detach) }
            return try await body(folder)
        }
    }

    static func makeReadOnly(_ folder: String) throws {
        guard mount("tmpfs", folder, "tmpfs", remount | readOnly, nil) == 0 else { throw POSIXError(.EPERM) }
    }

    // MS_RDONLY, MS_REMOUNT and MNT_DETACH of mount(2), which are macros or enumerations by platform.
    private static let readOnly: UInt = 1
    private static let remount: UInt = 32
    private static let detach: CInt = 2
}
