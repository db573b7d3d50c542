internal import Foundation

/// A folder that is gone when the body ends.
func withTemporaryFolder<Value>(_ body: (_ folder: URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "catalogs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

extension URL {
    /// The path of a file in this folder.
    func file(_ name: String) -> String { appending(path: name).path }

    /// The names of what is in this folder, sorted.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Writes a file into this folder, and returns its path.
    func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let place = appending(path: name)
        let parent = place.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data(bytes).write(to: place)
        return place.path
    }
}
