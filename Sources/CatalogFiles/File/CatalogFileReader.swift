package import Catalog
internal import Foundation
package import MarvelDomain
internal import RPCCore
internal import SQLiteFiles
internal import Synchronization
package import Upstream
internal import WireMessages

/// A finished catalog file, open for reading. If the file is replaced or deleted, the reader still reads the old one.
package final class CatalogFileReader: Sendable {
    package let path: String
    package let description: CatalogDescription
    private let database: DatabaseQueue
    /// Files of older versions have no such tables.
    private let hasDocuments: Bool
    /// A cache of the ids that queries found, without their limits: sorting 200,000 documents takes a second.
    private let found = Mutex<[DocumentQuery: [Int64]]>([:])
    /// One entry takes 8 MB at most.
    private static let maximumFound = 8

    /// - Throws: `CatalogFileError`; the file is unchanged.
    package init(_ path: String) throws(CatalogFileError) {
        try CatalogFileReader.checkIsFile(path)
        do {
            var settings = Database.Settings()
            settings.isReadOnly = true
            database = try DatabaseQueue(path, settings)
            (description, hasDocuments) = try database.sync { db in
                let hasDocuments = try CatalogSchema.check(db, path: path)
                guard let description = try CatalogTables.description(in: db, hasDocuments: hasDocuments) else {
                    throw CatalogFileError("the catalog \(path) is incomplete: its import was stopped")
                }
                return (description, hasDocuments)
            }
            self.path = path
        } catch {
            throw CatalogFileError(reading: path, error)
        }
    }

    /// Calls `body` with the sequence of all characters, ordered by id, which is valid only during the call. All
    /// encoded characters together have at most `maximumByteCount` bytes.
    ///
    /// - Throws: `CatalogFileError` if a character cannot be read, if all are too large together, or if their number differs
    ///   from the metadata; also the errors of `body`.
    package func withCharacters<Value>(
        maximumByteCount: Int = StoredCharacters.maximumByteCount,
        _ body: (StoredCharacters) throws -> Value
    ) throws -> Value {
        do {
            return try database.sync { db in
                let characters = try CatalogTables.characters(in: db, maximumByteCount: maximumByteCount)
                let value = try body(characters)
                try characters.checkEnd(description, path: path)
                return value
            }
        } catch let error as DatabaseError {
            throw CatalogFileError(reading: path, error)
        }
    }

    /// - Throws: `CatalogFileError`, and the errors of `body`.
    package func forEachPicture(_ body: (Int64, ImageVariant, Picture) throws -> Void) throws {
        do {
            try database.sync { db in try CatalogTables.forEachPicture(in: db, body) }
        } catch  where error is DatabaseError || error is UnreadableRecord {
            throw CatalogFileError(reading: path, error)
        }
    }

    /// - Throws: `CatalogFileError`.
    package func picture(of id: Int64, _ variant: ImageVariant) async throws(CatalogFileError) -> Picture? {
        guard description.pictureCount > 0 else { return nil }
        do {
            return try await withCheckedThrowingContinuation { continuation in
                database.async { db in
                    continuation.resume(with: Result { try CatalogTables.picture(of: id, variant, in: db) })
                }
            }
        } catch {
            throw CatalogFileError(reading: path, error)
        }
    }

    /// Runs long work, such as reading all characters, on a separate thread.
    func onOwnQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "catalog loading").async { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// Checks that the path names a non-empty file. SQLite reports a folder unclearly, and accepts an empty file as a
    /// database.
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
        try documents(or: DocumentPage(total: 0, documents: [])) { db in
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
        try documents(or: false) { try DocumentTables.contains(id, in: $0) }
    }

    package func characters(linkedTo kind: ResourceKind, _ ids: [Int64]) throws -> Set<Int64> {
        try documents(or: []) { try DocumentTables.characters(linkedTo: kind, ids, in: $0) }
    }

    package func list(of kind: ResourceKind, character: Int64) throws -> ResourceList {
        try documents(or: ResourceList(available: 0, items: [])) {
            try DocumentTables.list(of: kind, character: character, in: $0)
        }
    }

    func forEachDocument(_ body: (String) throws -> Void) throws {
        try documents(or: ()) { try DocumentTables.forEachDocument(in: $0, body) }
    }

    func forEachLink(_ body: (ResourceID, ResourceSummary) throws -> Void) throws {
        try documents(or: ()) { try DocumentTables.forEachLink(in: $0, body) }
    }

    private func documents<Value>(or none: Value, _ read: (Database) throws -> Value) throws -> Value {
        guard hasDocuments else { return none }
        do {
            return try database.sync(read)
        } catch  where error is DatabaseError || error is UnreadableRecord {
            throw CatalogFileError(reading: path, error)
        }
    }
}

extension CatalogFileReader {
    /// Loads all characters into memory, on a separate thread: seconds for a million characters.
    ///
    /// - Throws: `CatalogFileError`.
    package func load() async throws -> InMemoryCatalog {
        try await onOwnQueue { [self] in
            try withCharacters { characters in
                InMemoryCatalog(characters, kind: .file, attribution: description.attribution, source: .file)
            }
        }
    }
}

/// A catalog file that is served and reloaded when it is replaced.
///
/// If the new file cannot be loaded, the old one is still served, and the error is reported.
package final class FollowedCatalogFile: Sendable {
    package enum CheckResult: Sendable, Hashable {
        case unchanged
        case replaced(CatalogDescription)
        /// The new file cannot be served. This is reported once for each reason and file.
        case refused(CatalogFileError)
    }

    package let catalog: EditableCatalog
    package let pictures: FilePictures
    private let path: String
    private let now: @Sendable () -> Timestamp
    private let followed: Mutex<FollowedFiles>
    private let description: Mutex<CatalogDescription>

    /// Loads the file. `otherPictures` supplies pictures that the file lacks.
    ///
    /// - Throws: `CatalogFileError`.
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

    /// Loads the file if it was replaced, or if it failed to load for a reason that may pass. Otherwise it costs one
    /// `stat`. Do not call it concurrently.
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

/// A source of pictures from a catalog file, with another source for missing ones.
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
