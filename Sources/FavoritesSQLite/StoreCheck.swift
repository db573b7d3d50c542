internal import Foundation
internal import GRDB

/// Verifies a store, and changes nothing about it: also one that a server has open.
package enum StoreCheck {
    /// - Parameters:
    ///   - path: The store.
    ///   - capacity: How many favorites a list may hold; nil if only the server knows.
    ///   - acknowledging: Whether losses that a server found are forgotten, once the store was read.
    /// - Returns: What it holds, and what is wrong with it.
    /// - Throws: If it is no store, or too broken to be read.
    package static func check(
        _ path: String,
        capacity: Int? = nil,
        acknowledging: Bool = false
    ) throws(FavoritesStoreOpenError) -> StoreReport {
        switch try StoreRemains.look(at: path) {
        case .absent: throw FavoritesStoreOpenError(code: .notAStore, message: "there is no store at \(path)")
        case .empty, .unfinishedStart: throw unused(path)
        case .store: break
        }
        // Before the store, which may go on meanwhile: the witness must not be ahead of what is read.
        let record = StoreWitness.record(of: path)
        do {
            let database = try StoreConnection.openReadOnly(path)
            defer { try? database.close() }
            var report = try database.read { db in try audit(db, path: path, record.account) }
            let most = capacity ?? StoreLimits.capacities.upperBound
            if report.longestList > most {
                report.note("a list holds \(report.longestList) favorites, and may hold \(most)")
            }
            if acknowledging {
                try StoreWitness.acknowledgeLosses(of: path)
                report.acknowledgedLosses = record.losses
            } else {
                report.note(earlierLosses: record.losses)
            }
            return report
        } catch {
            throw FavoritesStoreOpenError(opening: path, error)
        }
    }

    private static func unused(_ path: String) -> FavoritesStoreOpenError {
        FavoritesStoreOpenError(code: .notAStore, message: "\(path) is empty: no server has opened it yet")
    }

    private static func audit(_ db: Database, path: String, _ account: StoreWitness.Account?) throws -> StoreReport {
        try StoreInspection.checkIdentity(db, path: path)
        let version = try StoreSchema.version(of: db)
        guard version > 0 else {
            throw unused(path)
        }
        var report = try StoreSchema.newest(db) { try StoreAudit.thoroughAudit($0, witness: account) }
        report.schemaVersion = version
        return report
    }
}
