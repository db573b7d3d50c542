internal import Foundation
internal import GRDB
package import MarvelDomain

/// A finished catalog file, open for reading. It may be replaced or deleted meanwhile: this goes on reading the old one.
package final class CatalogFileReader: Sendable {
    package let path: String
    package let description: CatalogDescription
    private let database: DatabaseQueue

    /// - Throws: `CatalogFileError`; the file is not touched.
    package init(_ path: String) throws(CatalogFileError) {
        try CatalogFileReader.checkIsFile(path)
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.label = "catalog"
            database = try DatabaseQueue(path: path, configuration: configuration)
            description = try database.unsafeRead { db in
                try CatalogSchema.check(db, path: path)
                guard let description = try CatalogTables.description(in: db) else {
                    throw CatalogFileError(
                        code: .unfinished,
                        message: "the catalog \(path) is not finished: the program that makes it was stopped"
                    )
                }
                return description
            }
            self.path = path
        } catch {
            throw CatalogFileError(reading: path, error)
        }
    }

    /// Lends every character, by id.
    ///
    /// - Parameters:
    ///   - maximumByteCount: The encoded characters may have so many bytes in all.
    ///   - body: Reads them.
    /// - Returns: What `body` made of them.
    /// - Throws: `.damaged` if one cannot be read, if they are too large, or if there are more or fewer than the file
    ///   says; what `body` throws.
    package func withCharacters<Value>(
        maximumByteCount: Int = StoredCharacters.maximumByteCount,
        _ body: (StoredCharacters) throws -> Value
    ) throws -> Value {
        do {
            return try database.unsafeRead { db in
                let characters = try CatalogTables.characters(in: db, maximumByteCount: maximumByteCount)
                let value = try body(characters)
                try characters.checkEnd(description, path: path)
                return value
            }
        } catch  where error is DatabaseError || error is RowDecodingError {
            throw CatalogFileError(reading: path, error)
        }
    }

    /// Lends every picture, one after another.
    ///
    /// - Throws: `CatalogFileError`; what `body` throws.
    package func forEachPicture(_ body: (Int64, ImageVariant, Picture) throws -> Void) throws {
        do {
            try database.unsafeRead { db in try CatalogTables.forEachPicture(in: db, body) }
        } catch  where error is DatabaseError || error is RowDecodingError {
            throw CatalogFileError(reading: path, error)
        }
    }

    /// The picture that the file has of a character in a variant, or nil.
    ///
    /// - Throws: `CatalogFileError`.
    package func picture(of id: Int64, _ variant: ImageVariant) async throws(CatalogFileError) -> Picture? {
        guard description.pictureCount > 0 else { return nil }
        do {
            return try await database.read { db in try CatalogTables.picture(of: id, variant, in: db) }
        } catch {
            throw CatalogFileError(reading: path, error)
        }
    }

    /// Runs work that takes long, as reading all characters does, where it keeps nobody else from working.
    func onOwnQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "catalog loading").async { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// SQLite would say of a folder that it is unable to open a database file, and take an empty file for a database.
    private static func checkIsFile(_ path: String) throws(CatalogFileError) {
        var file = stat()
        guard stat(path, &file) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CatalogFileError(code: .notReadable, message: "the catalog \(path) cannot be read: \(reason)")
        }
        guard file.st_mode & S_IFMT == S_IFREG, file.st_size > 0 else {
            throw CatalogFileError(code: .notACatalog, message: "\(path) is no catalog: it is empty, or no plain file")
        }
    }
}
