internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import ProgramSupport

/// The file of recent searches, which remain between runs: one per line, newest first.
///
/// The file is optional: an unreadable file counts as empty, and a failed write is ignored.
struct RecentSearchesFile: Sendable {
    /// Above the size of any list of recent searches.
    private static let maximumByteCount = 64 * 1024

    /// Nil if the environment names no folder for it.
    let url: URL?
    /// Files may be on a slow network.
    private let queue = DispatchQueue(label: "recent searches")

    init(url: URL?) { self.url = url }

    /// The file in the folder for programs' state (XDG Base Directory Specification, `XDG_STATE_HOME`).
    init(_ environment: Environment) {
        let home = environment["HOME"].map { "\($0)/.local/state" }
        // The specification requires that a relative path is ignored.
        let folder = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        self.init(url: folder.map { URL(filePath: $0).appending(path: "marvel/recent-searches") })
    }

    func load() async -> [String] {
        guard let url else { return [] }
        return await onQueue { RecentSearchesFile.load(url) }
    }

    func save(_ queries: [String]) async {
        guard let url else { return }
        await onQueue { RecentSearchesFile.save(queries, to: url) }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }

    private static func load(_ url: URL) -> [String] {
        guard let data = try? InputFile.read(url.path, maximum: maximumByteCount) else { return [] }
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        // The last line of a file that is too long may be incomplete.
        return data.count <= maximumByteCount ? lines : lines.dropLast()
    }

    private static func save(_ queries: [String], to url: URL) {
        let files = FileManager.default
        let folder = url.deletingLastPathComponent()
        // Searches are private, so only the user may read the file.
        let own: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        let ownFolder: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try? files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: ownFolder)
        let made = folder.appending(path: ".recent-searches-\(UUID().uuidString)")
        let data = Data(queries.map { $0 + "\n" }.joined().utf8)
        let isMade = files.createFile(atPath: made.path, contents: data, attributes: own)
        if !isMade || rename(made.path, url.path) != 0 { try? files.removeItem(at: made) }
    }
}
