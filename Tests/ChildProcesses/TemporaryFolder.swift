package import Foundation

/// A folder that goes with the test.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "marvel-rpc-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    package func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file, and returns its path.
    package func file(_ name: String, _ text: String = "") throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }
}
