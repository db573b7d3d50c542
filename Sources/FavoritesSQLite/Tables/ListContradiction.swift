internal import MarvelDomain
internal import SQLiteFiles

/// Finds the lists whose favorites cannot be right, in a store whose rows had no checksums: of schema version 5 or
/// older.
///
/// It compares the rows with the list's row, and with its log if the log is whole. Rows without a contradiction are
/// trusted, because there is no older evidence.
struct ListContradiction: DatabaseAggregate {
    /// The SQL function `is_contradiction(list, revision, digest, exists, row revision, change, digest, id, snapshot)`.
    /// Its rows are the changes in a list's log, then the favorites on it, both in the order of revisions. The change
    /// and its digest are null for a favorite.
    static let function = DatabaseFunction("is_contradiction", argumentCount: 9) { ListContradiction() }

    fileprivate struct Reading {
        let revision: Int64
        let digest: Int64
        let exists: Bool
        var log: LogAudit
        var replay: LogReplay
        var lastSaved: Int64 = .min
    }

    private var reading: Reading?
    private var isFound = false
    private var favorites: [StoreRecord.Favorite] = []

    init() {}

    mutating func step(_ values: [SQLValue]) {
        do {
            try read(values)
        } catch {
            // A value of another type, or an invalid name.
            isFound = true
        }
    }

    private mutating func read(_ values: [SQLValue]) throws {
        var reading = try self.reading ?? Reading(values)
        let revision = try values[4].decoded(Int64.self)
        if values[5].isNull {
            let text = try values[8].decoded(String.self)
            let favorite = StoreRecord.Favorite(
                id: try values[7].decoded(),
                savedRevision: revision,
                text: Array(text.utf8)
            )
            let read = try? FavoriteJSON.favorite(utf8: favorite.text)
            let isInOrder = revision > reading.lastSaved && revision <= reading.revision
            if !reading.exists || !isInOrder || read?.character.id != favorite.id { isFound = true }
            reading.lastSaved = revision
            favorites.append(favorite)
        } else {
            let text = Array(try values[5].decoded(String.self).utf8)
            reading.log.read(.init(revision: revision, text: text, digest: try values[6].decoded()))
            reading.replay.play(revision, text)
        }
        self.reading = reading
    }

    func result() -> SQLValue { isContradiction.sqlValue }

    private var isContradiction: Bool {
        // Without rows the list is empty, and has no log.
        guard var reading else { return isFound }
        reading.log.finish(revision: reading.revision, digest: reading.digest)
        // A damaged log proves nothing.
        guard !isFound, reading.log.problems.isEmpty else { return isFound }
        for favorite in favorites { reading.replay.compare(favorite) }
        reading.replay.finish()
        return !reading.replay.problems.isEmpty
    }
}

extension ListContradiction.Reading {
    fileprivate init(_ values: [SQLValue]) throws {
        let list = try ListName(stored: values[0].decoded())
        self.init(
            revision: try values[1].decoded(),
            digest: try values[2].decoded(),
            exists: try values[3].decoded(),
            log: LogAudit(list: list, digest: ChangeDigest.next(after:revision:text:)),
            replay: LogReplay(list: list)
        )
    }
}
