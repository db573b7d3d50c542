internal import SQLiteFiles
package import Upstream

extension CacheFile: CallLedger {
    package func note(_ entry: CallLedgerEntry) {
        perform { [gateway] db in try CallsTable.note(entry, of: gateway, in: db) }
    }

    /// Makes a call budget from the recorded calls, which records further ones; a full budget if the file cannot be
    /// read.
    package func budget(callsPerDay: Int, at now: Moment) async -> CallBudget {
        let known = await query { [gateway] db in
            (try CallsTable.minutes(of: gateway, around: now.minute, in: db), try CallsTable.block(of: gateway, in: db))
        }
        return CallBudget(
            callsPerDay: callsPerDay,
            minutes: known?.0 ?? [],
            block: known?.1 ?? nil,
            ledger: self,
            at: now
        )
    }
}

enum CallsTable {
    private static let minutesPerDay: Int64 = 24 * 60

    static func note(_ entry: CallLedgerEntry, of gateway: String, in db: Database) throws {
        switch entry {
        case .calls(let minute, let change):
            try db.run(
                """
                INSERT INTO calls (gateway, minute, count) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET count = count + excluded.count
                """,
                gateway,
                minute,
                change
            )
            try db.run("DELETE FROM calls WHERE gateway = ? AND minute < ?", gateway, minute - minutesPerDay - 1)
        case .block(let block?):
            try db.run(
                "INSERT OR REPLACE INTO blocks (gateway, until, is_probed) VALUES (?, ?, ?)",
                gateway,
                block.until.milliseconds,
                block.isProbed
            )
        case .block(nil):
            try db.run("DELETE FROM blocks WHERE gateway = ?", gateway)
        }
    }

    /// Returns the calls that may count at a minute. Calls more than a day later are ignored: the clock was wrong.
    static func minutes(of gateway: String, around minute: Int64, in db: Database) throws -> [CallBudget.Minute] {
        let bounds = (minute - minutesPerDay - 1)...(minute + minutesPerDay)
        let sql = "SELECT minute, count FROM calls WHERE gateway = ? AND minute BETWEEN ? AND ?"
        return try db.all(sql, gateway, bounds.lowerBound, bounds.upperBound) { row in
            CallBudget.Minute(try row.read("minute"), count: try row.read("count"))
        }
    }

    static func block(of gateway: String, in db: Database) throws -> CallBudget.Block? {
        try db.first("SELECT until, is_probed FROM blocks WHERE gateway = ?", gateway) { row in
            CallBudget.Block(until: Moment(milliseconds: try row.read("until")), isProbed: try row.read("is_probed"))
        }
    }
}
