internal import Foundation
package import MarvelDomain
internal import SQLiteFiles

package struct StoreFileSource: RecordSource {
    package let facts: StoredFacts
    private let db: Database
    /// The path of the file of edits that the store would take over, if any.
    private let oldEdits: String?

    /// Reads a whole store with a known version of the schema. A file of edits beside it, which no server has taken
    /// over, belongs to it. `isStopped` means that no server may have the store open meanwhile, because the copy
    /// replaces it.
    ///
    /// - Throws: `FavoritesStoreOpenError` if the store is not whole or in use, or the error of `body`.
    package static func read<Result>(
        _ path: String,
        isStopped: Bool,
        _ body: (StoreFileSource) throws -> Result
    ) throws -> Result {
        let report = try StoreBackup.verify(path, failure: "the store \(path) failed its check and was not copied")
        let lock = isStopped ? try StoreLock(store: path, address: nil) : nil
        defer { lock?.abandon() }
        return try StoreConnection.read(path, limitsTime: false) { db in
            try body(StoreFileSource(db, path, longestList: report.longestList))
        }
    }

    private init(_ db: Database, _ path: String, longestList: Int) throws {
        self.db = db
        let history = try StoreHistory.read(db)
        oldEdits = try OldEdits.path(beside: path, isCopy: history.isCopy, db)
        facts = StoredFacts(history: history.id, base: history.base, capacity: nil, longestList: longestList)
    }

    package func forEachRecord(_ body: (StoreRecord) throws -> Void) throws {
        try ListsTable.forEachRecord(in: db) { damage in
            throw damage
        } _: { list in
            var list = list
            try ChangesTable.forEach(of: list.name, in: db) { list.changes.append($0) }
            try body(.list(list))
        }
        try RequestAnswersTable.forEach(in: db) { try body(.answer($0)) }
        try EditsTable.forEach(in: db) { try body(.edit($0)) }
        if let oldEdits { try OldEdits.forEachRecord(oldEdits, in: facts.history, body) }
    }

    package func forEachPicture(_ body: (KeptPicture) throws -> Void) throws {
        try FormerPictures.forEach(in: db, body)
    }
}
