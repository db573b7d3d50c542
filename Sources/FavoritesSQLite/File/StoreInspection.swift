internal import Foundation
internal import SQLiteFiles

/// A check of a store before it is opened for writing. The connection is read-only, so a refused store is unchanged:
/// opening for writing would change the journal mode, and so the file. An empty log may stay beside it.
enum StoreInspection {
    /// - Throws: An error unless the file is absent, empty, or a whole store of a known schema.
    static func inspect(_ path: String) throws(FavoritesStoreOpenError) {
        guard try StorePresence.check(at: path) == .store else { return }
        do {
            let db = try StoreConnection.openReadOnly(path)
            try checkIdentity(db, path: path)
            try checkIntegrity(db, path: path)
        } catch {
            throw FavoritesStoreOpenError(opening: path, error)
        }
    }

    static func checkIdentity(_ db: Database, path: String) throws {
        switch try StoreSchema.migrations.state(of: db) {
        case .empty, .applied: break
        case .foreign:
            throw FavoritesStoreOpenError(
                "\(path) is another program's SQLite database, not a favorites store; it was not changed"
            )
        case .altered(let difference):
            throw FavoritesStoreOpenError(
                "the store \(path) \(difference), unlike any store of a server: restore a copy; it was not changed"
            )
        case .invalid(let version):
            throw FavoritesStoreOpenError(
                "the store \(path) is damaged (schema version \(version)): restore a copy; it was not changed"
            )
        case .newer(let version):
            throw FavoritesStoreOpenError(
                "the store \(path) has schema version \(version), but this program supports versions up to "
                    + "\(StoreSchema.version): use the newer program that wrote it; it was not changed"
            )
        }
    }

    private static func checkIntegrity(_ db: Database, path: String) throws {
        let findings = try db.values("PRAGMA quick_check(\(maximumFindingCount))", as: String.self)
        let finding = findings.first { $0 != "ok" && !isOfOneRecord($0) }
        guard finding == nil, (1..<maximumFindingCount).contains(findings.count) else {
            throw FavoritesStoreOpenError(
                "the store \(path) is damaged (\(finding ?? findings.first ?? "no result")): restore a copy; it "
                    + "was not changed"
            )
        }
    }

    private static let maximumFindingCount = 100

    /// Whether a finding is about the values in a row of one list or edit, which the audit finds too. A favorite in the
    /// wrong order among those of its list is one. Its id is damaged, and the name finds all rows of the list.
    private static func isOfOneRecord(_ finding: String) -> Bool {
        ["CHECK constraint failed in lists", "CHECK constraint failed in edits"].contains(finding)
            || finding == "row not in PRIMARY KEY order for favorites"
            || ["lists.", "favorites.", "edits."].contains { table in
                ["INTEGER", "TEXT", "BLOB"].contains { finding.hasPrefix("non-\($0) value in \(table)") }
                    || finding.hasPrefix("NULL value in \(table)")
            }
    }
}
