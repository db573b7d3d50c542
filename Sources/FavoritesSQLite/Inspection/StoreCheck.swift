package import MarvelDomain
internal import SQLiteFiles

/// A verification of a store that changes nothing, also while a server has it open.
package enum StoreCheck {
    /// A nil capacity means that only the server knows it. `acknowledging` deletes the recorded losses, once the store
    /// was read. `needsWitness` makes a missing or unreadable record of the progress a loss; no copy needs one.
    ///
    /// - Throws: An error if it is not a store, or too damaged to be read.
    package static func check(
        _ path: String,
        capacity: Int? = nil,
        acknowledging: Bool = false,
        needsWitness: Bool = true
    ) throws(FavoritesStoreOpenError) -> StoreReport {
        switch try StorePresence.check(at: path) {
        case .absent: throw FavoritesStoreOpenError("no store at \(path)")
        case .empty, .unfinishedStart: throw unused(path)
        case .store: break
        }
        // Read before the store, which may change meanwhile: the witness must not be ahead of the store.
        let record = StoreWitness.record(of: path)
        do {
            let db = try StoreConnection.openReadOnly(path)
            var report = try db.reading {
                var report = try audit(db, path: path, record.progress)
                if needsWitness, let loss = try StoreWitness.loss(of: path, record, db) { report.note(loss: loss) }
                return report
            }
            let most = capacity ?? ListRules.capacities.upperBound
            if report.longestList > most {
                report.note("a list has \(report.longestList) favorites, maximum is \(most)")
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
        FavoritesStoreOpenError("\(path) is empty: no server has opened it yet")
    }

    private static func audit(_ db: Database, path: String, _ progress: StoreWitness.Progress?) throws -> StoreReport {
        try StoreInspection.checkIdentity(db, path: path)
        let version = try StoreSchema.version(of: db)
        guard version > 0 else {
            throw unused(path)
        }
        var report = try StoreSchema.newest(db) { try StoreAudit.audit($0, witness: progress, isThorough: true) }
        report.schemaVersion = version
        return report
    }
}
