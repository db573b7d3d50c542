package import Catalog
internal import Foundation
package import MarvelDomain
internal import RPCCore
internal import SQLiteFiles
internal import Synchronization
package import Upstream
internal import WireMessages

/// If the file is replaced or deleted, the reader still reads the old one.
package final class CatalogFileReader: Sendable {
    package let path: String
    package let description: CatalogDescription
    private let database: DatabaseQueue
    /// Files of older versions have no such tables.
    private let hasDocuments: Bool
    /// Cached ids, without the limits of queries: sorting 200,000 documents takes a second.
    private let found = Mutex<[DocumentQuery: [Int64]]>([:])
    /// One entry takes 8 MB at most.
    private static let maximumFound = 8
    /// The maximum time of a query for documents or a picture, because the tree of a forged file may have no end. Reading a
    /// whole table may take longer.
    private static let queryTime = Duration.seconds(30)

    package init(_ path: String) throws(CatalogFileError) {
        try CatalogFileReader.checkIsFile(path)
        do {
            var settings = Database.Settings()
            settings.isReadOnly = true
            database = try DatabaseQueue(path, settings)
            (description, hasDocuments) = try database.sync { db in
                try db.limitingTime(to: Self.queryTime) { db in
                    let hasDocuments = try CatalogSchema.check(db, path: path)
                    try db.add(DocumentTables.folded)
                    guard let description = try CatalogTables.description(in: db, hasDocuments: hasDocuments) else {
                        throw CatalogFileError("the catalog \(path) is incomplete: its import was stopped")
                    }
                    return (description, hasDocuments)
                }
            }
            self.path = path
        } catch {
            throw CatalogFileError(reading: path, error)
        }
    }

    /// The sequence is ordered by id, and valid only during the call.
    ///
    /// Throws `CatalogFileError` if a character cannot be read, if all have more than `maximumByteCount` bytes encoded,
    /// or if their number differs from the metadata.
    package func withCharacters<Value>(
        maximumByteCount: Int = StoredCharacters.maximumByteCount,
        _ body: (StoredCharacters) throws -> Value
    ) throws -> Value {
        try read { db in
            let characters = try CatalogTables.characters(in: db, maximumByteCount: maximumByteCount)
            let value = try body(characters)
            try characters.checkEnd(description, path: path)
            return value
        }
    }

    package func forEachPicture(_ body: (Int64, ImageVariant, Picture) throws -> Void) throws {
        try read { db in try CatalogTables.forEachPicture(in: db, body) }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try database.sync { db in try db.limitingTime(to: Database.readingTime(of: path), body) }
        } catch  where error is DatabaseError || error is UnreadableRecord {
            throw CatalogFileError(reading: path, error)
        }
    }

    package func picture(of id: Int64, _ variant: ImageVariant) async throws(CatalogFileError) -> Picture? {
        guard description.pictureCount > 0 else { return nil }
        do {
            return try await withCheckedThrowingContinuation { continuation in
                database.async { db in
                    let picture = Result {
                        try db.limitingTime(to: Self.queryTime) { try CatalogTables.picture(of: id, variant, in: $0) }
                    }
                    continuation.resume(with: picture)
                }
            }
        } catch {
            throw CatalogFileError(reading: path, error)
        }
    }

    /// Use it for long work, such as reading all characters.
    func onOwnQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "catalog loading").async { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// SQLite reports a folder unclearly, and accepts an empty file as a database.
    private static func checkIsFile(_ path: String) throws(CatalogFileError) {
        var file = stat()
        guard stat(path, &file) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CatalogFileError("the catalog \(path) cannot be read: \(reason)")
        }
        guard file.st_mode & S_IFMT == S_IFREG, file.st_size > 0 else {
            throw CatalogFileError("\(path) is not a catalog: it is empty, or not a regular file")
        }
    }
}

extension CatalogFileReader: DocumentSource {
    package var attribution: String { description.attribution }
    package var documentCount: Int { description.documentCount }

    package func page(_ query: DocumentQuery) throws -> DocumentPage {
        try limited(or: DocumentPage(total: 0, documents: [])) { db in
            let ids = try ids(query, in: db)
            let page = ids.dropFirst(query.offset).prefix(query.limit)
            return DocumentPage(
                total: ids.count,
                documents: try DocumentTables.documents(of: query.kind, page, in: db)
            )
        }
    }

    private func ids(_ query: DocumentQuery, in db: Database) throws -> [Int64] {
        var key = query
        (key.limit, key.offset) = (0, 0)
        if let known = found.withLock({ $0[key] }) { return known }
        let ids = try DocumentTables.ids(key, in: db)
        found.withLock { found in
            if found.count >= Self.maximumFound { found.removeAll() }
            found[key] = ids
        }
        return ids
    }

    package func contains(_ id: ResourceID) throws -> Bool {
        try limited(or: false) { try DocumentTables.contains(id, in: $0) }
    }

    package func characters(linkedTo kind: ResourceKind, _ ids: [Int64]) throws -> Set<Int64> {
        try limited(or: []) { try DocumentTables.characters(linkedTo: kind, ids, in: $0) }
    }

    package func list(of kind: ResourceKind, character: Int64) throws -> ResourceList {
        try limited(or: ResourceList(available: 0, items: [])) {
            try DocumentTables.list(of: kind, character: character, in: $0)
        }
    }

    func forEachDocument(_ body: (String) throws -> Void) throws {
        try documents(or: ()) { try DocumentTables.forEachDocument(in: $0, body) }
    }

    func forEachLink(_ body: (ResourceID, ResourceSummary) throws -> Void) throws {
        try documents(or: ()) { try DocumentTables.forEachLink(in: $0, body) }
    }

    private func limited<Value>(or none: Value, _ read: (Database) throws -> Value) throws -> Value {
        try documents(or: none) { db in try db.limitingTime(to: Self.queryTime, read) }
    }

    private func documents<Value>(or none: Value, _ body: (Database) throws -> Value) throws -> Value {
        hasDocuments ? try read(body) : none
    }
}

extension CatalogFileReader {
    /// Loads on a separate thread: seconds for a million characters.
    package func load() async throws -> InMemoryCatalog {
        try await onOwnQueue { [self] in
            try withCharacters { characters in
                InMemoryCatalog(characters, kind: .file, attribution: description.attribution, source: .file)
            }
        }
    }
}

/// Reloaded when it is replaced. If the new file cannot be loaded, the old one is still served.
package final class FollowedCatalogFile: Sendable {
    package enum CheckResult: Sendable, Hashable {
        case unchanged
        case replaced(CatalogDescription)
        /// Reported once for each reason and file.
        case refused(CatalogFileError)
    }

    package let catalog: EditableCatalog
    package let pictures: FilePictures
    private let path: String
    private let now: @Sendable () -> Timestamp
    private let followed: Mutex<FollowedFiles>
    private let description: Mutex<CatalogDescription>

    /// `otherPictures` supplies pictures that the file lacks.
    package init(
        _ path: String,
        otherPictures: any PictureSource,
        now: @escaping @Sendable () -> Timestamp
    ) async throws {
        followed = Mutex(FollowedFiles([path]))
        let reader = try CatalogFileReader(path)
        catalog = EditableCatalog(try await reader.load(), loadedAt: now())
        pictures = FilePictures(reader, others: otherPictures)
        description = Mutex(reader.description)
        self.path = path
        self.now = now
    }

    package var servedDescription: CatalogDescription { description.withLock { $0 } }

    /// Reloads a replaced file, or one that failed for a transient reason. Otherwise it costs one `stat`. Not
    /// concurrent.
    package func check() async -> CheckResult {
        guard let version = followed.withLock(\.versionToRead) else { return .unchanged }
        do {
            let reader = try CatalogFileReader(path)
            catalog.replace(with: try await reader.load(), loadedAt: now())
            followed.withLock { $0.wereRead(version) }
            pictures.replace(with: reader)
            description.withLock { $0 = reader.description }
            return .replaced(reader.description)
        } catch {
            let error = CatalogFileError(reading: path, error)
            let isNew = followed.withLock { followed in
                if error.isTransient { return followed.failed(version, reason: error.description) }
                followed.wereRead(version)
                return true
            }
            return isNew ? .refused(error) : .unchanged
        }
    }
}

package final class FilePictures: PictureSource {
    private let file: Mutex<CatalogFileReader>
    private let others: any PictureSource

    package init(_ file: CatalogFileReader, others: any PictureSource) {
        self.file = Mutex(file)
        self.others = others
    }

    func replace(with file: CatalogFileReader) { self.file.withLock { $0 = file } }

    package func picture(
        of character: MarvelCharacter,
        _ variant: ImageVariant
    ) async throws(PictureError) -> FoundPicture {
        let file = file.withLock { $0 }
        // A damaged picture counts as missing, because `load` checks only characters.
        if let picture = try? await file.picture(of: character.id, variant) { return FoundPicture(picture) }
        return try await others.picture(of: character, variant)
    }
}
