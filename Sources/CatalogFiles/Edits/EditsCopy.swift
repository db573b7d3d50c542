package import CatalogEdits
internal import Foundation
internal import GRDB
package import MarvelDomain

/// The edits of a database in a file: beside a copy of its store, which is a file without edits.
package enum EditsCopy {
    /// Returns the path of the edits that belong to a copy of a store.
    package static func path(beside copy: String) -> String { copy + ".edits" }

    /// Writes a file of edits, which gets its name when it is complete. It is one that a server takes as `--edits`.
    ///
    /// - Parameters:
    ///   - path: The path of the file. If there are no edits, there is no file.
    ///   - overwriting: Whether a file that is there may be replaced.
    ///   - forEachEdit: Calls its argument with the edits of each character, and their picture.
    /// - Returns: The number of edited characters.
    /// - Throws: `EditsOpenError`, or the error of `forEachEdit`; then a file at `path` is unchanged.
    package static func write(
        to path: String,
        overwriting: Bool,
        _ forEachEdit: ((EditedCharacter, Picture?) throws -> Void) throws -> Void
    ) throws -> Int {
        guard overwriting || access(path, F_OK) != 0 else { throw EditsOpenError(message: "\(path) is there already") }
        let partial = path + ".partial"
        unlink(partial)
        defer { unlink(partial) }
        let count = try write(partial, forEachEdit)
        let isPlaced = count == 0 ? unlink(path) == 0 || errno == ENOENT : rename(partial, path) == 0
        guard isPlaced else {
            throw EditsOpenError(message: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        return count
    }

    private static func write(
        _ path: String,
        _ forEachEdit: ((EditedCharacter, Picture?) throws -> Void) throws -> Void
    ) throws -> Int {
        let (_, database) = try EditsFile.open(path)
        defer { try? database.close() }
        var count = 0
        try database.writeWithoutTransaction { db in
            try db.inTransaction {
                let tables = EditsFileTables(db: db)
                try forEachEdit { edited, picture in
                    try tables.put(edited)
                    if let picture { try tables.put(picture, of: edited.id) }
                    count += 1
                }
                return .commit
            }
        }
        return count
    }

    /// Reads a file of edits.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isOptional: Whether a file that is not there means that there are no edits.
    ///   - body: Called with the edits of each character and their picture, oldest first.
    /// - Throws: `EditsOpenError`, or the error of `body`.
    package static func read(
        _ path: String,
        isOptional: Bool,
        _ body: (EditedCharacter, Picture?) throws -> Void
    ) throws {
        guard access(path, F_OK) == 0 else {
            guard isOptional else { throw EditsOpenError(message: "there is no file of edits at \(path)") }
            return
        }
        let (_, database) = try EditsFile.open(path)
        defer { try? database.close() }
        try database.writeWithoutTransaction { db in
            let tables = EditsFileTables(db: db)
            for edited in try tables.edits(after: 0) {
                try body(edited, edited.pictureType == nil ? nil : tables.picture(of: edited.id))
            }
        }
    }
}
