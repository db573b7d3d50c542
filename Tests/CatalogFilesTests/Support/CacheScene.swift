import Catalog
import Foundation
import MarvelDomain
import NIOCore
import SQLiteFiles
import Synchronization
import Testing
import Upstream

@testable import CatalogFiles

/// A folder for a cache file, and what is said about the file.
final class CacheScene: Sendable {
    /// Some day in 2026, at the beginning of a minute.
    static let start = Moment(sinceEpoch: .seconds(1_790_000_040))

    private let folder: URL
    private let problems = Mutex<[String]>([])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "marvel-rpc-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var path: String { folder.appending(path: "cache").path }
    var said: [String] { problems.withLock { $0 } }
    var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } }

    func open(gateway: String = "http://gateway.test", limits: CacheFile.Limits = CacheFile.Limits()) -> CacheFile {
        CacheFile(path: path, gateway: gateway, limits: limits) { [self] problem in
            problems.withLock { $0.append(problem) }
        }
    }

    /// Executes SQL on a closed file.
    func execute(_ sql: String) throws {
        try Database(path, .undefended).execute(sql)
    }

    func count(_ table: String) throws -> Int? {
        try Database(path).value("SELECT count(*) FROM \(table)")
    }

    static func answer(_ ids: [Int64], at moment: Moment = start, etag: String? = "tag") -> KeptAnswer {
        let characters = ids.map {
            MarvelCharacter(
                id: $0,
                name: "Número \($0)",
                description: String(repeating: "Text. ", count: 50),
                thumbnail: Thumbnail(path: "http://gateway.test/\($0)", fileExtension: "jpg"),
                comicCount: 7
            )
        }
        let results = CharacterResults(
            characters: characters,
            offset: 20,
            receivedCount: ids.count + 1,
            total: 1_000,
            attribution: "Data by a test",
            etag: etag
        )
        return KeptAnswer(results, fetchedAt: moment)
    }

    static func picture(_ byte: UInt8, byteCount: Int = 10_000) -> CachedPicture {
        let picture = Picture(
            bytes: [UInt8](repeating: byte, count: byteCount),
            mediaType: .gif,
            isPlaceholder: byte % 2 == 0
        )
        return CachedPicture((picture, "\"\(byte)\""), fetchedAt: start)
    }
}

extension KeptAnswer {
    /// All that is in it, to be compared.
    var contents: [String] {
        [
            "\(ids)", "\(offset) \(receivedCount) \(total)", attribution, etag ?? "none", "\(fetchedAt.milliseconds)",
            "\(encodedCharacters.readableBytesView.map(\.self))",
        ]
    }
}

extension Database.Settings {
    /// Those of a program that may damage its file.
    static var undefended: Database.Settings {
        var settings = Database.Settings()
        settings.isDefended = false
        return settings
    }
}
