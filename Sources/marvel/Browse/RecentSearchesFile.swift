internal import Foundation

/// Where searches are remembered from run to run: one a line, newest first.
///
/// Only a convenience: what cannot be read counts as empty, and what cannot be written is forgotten.
struct RecentSearchesFile: Sendable {
    /// More than any list of recent searches takes.
    private static let maximumByteCount = 64 * 1024

    /// Nil if the environment names no folder for such a file.
    let url: URL?

    init(url: URL?) { self.url = url }

    /// In the folder for what programs remember (XDG Base Directory Specification, `XDG_STATE_HOME`).
    init(_ environment: Environment) {
        let home = environment["HOME"].map { "\($0)/.local/state" }
        // A relative path must be ignored, says the specification.
        let folder = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        self.init(url: folder.map { URL(filePath: $0).appending(path: "marvel/recent-searches") })
    }

    func load() -> [String] {
        guard let url, let file = try? FileHandle(forReadingFrom: url) else { return [] }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: RecentSearchesFile.maximumByteCount) else { return [] }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }

    func save(_ queries: [String]) {
        guard let url else { return }
        let files = FileManager.default
        let folder = url.deletingLastPathComponent()
        // What somebody searched for is nobody else's business.
        try? files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lines = queries.map { $0 + "\n" }.joined()
        guard (try? Data(lines.utf8).write(to: url, options: .atomic)) != nil else { return }
        try? files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }
}
