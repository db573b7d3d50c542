internal import FavoritesEngine
internal import MarvelDomain

/// The rows of `Statement.readLists`.
struct LoadedLists {
    let history: HistoryID
    /// The revision with which lists of unknown names begin.
    let base: Int64
    /// The number of favorites that a list may hold after a save.
    let capacity: Int
    /// Each list, or the fault that its rows differ from those that were written.
    let lists: [Result<KnownList, DatabaseFault>]

    init(_ rows: Rows, of names: [ListName]) throws(DatabaseFault) {
        guard rows.count > 0 else { throw .malformed("marvel.meta is empty") }
        history = HistoryID(try rows.integer(0, 1))
        base = try rows.integer(0, 2)
        capacity = Int(try rows.integer(0, 3))
        var lists: [Result<KnownList, DatabaseFault>] = []
        var row = 0
        for (place, name) in names.enumerated() {
            let start = row
            while row < rows.count {
                guard try rows.integer(row, 0) == place + 1 else { break }
                row += 1
            }
            guard row > start else { throw .malformed("a list has no row") }
            do throws(DatabaseFault) {
                lists.append(.success(try KnownList(rows, start..<row, of: name, base: base)))
            } catch {
                // An unreadable row is a fault of one list.
                lists.append(.failure(.damaged(name, error.message)))
            }
        }
        self.lists = lists
    }
}

extension KnownList {
    fileprivate init(_ rows: Rows, _ range: Range<Int>, of name: ListName, base: Int64) throws(DatabaseFault) {
        let row = range.lowerBound
        let isUnknown = rows.isNull(row, 4)
        if !isUnknown {
            guard try rows.boolean(row, 9) else { throw .damagedRow(of: name) }
        }
        var favorites: [Favorite] = []
        var found: [Int64] = []
        for row in range where !rows.isNull(row, 10) {
            let id = try rows.integer(row, 10)
            guard try rows.boolean(row, 12) else { throw .damagedFavorite(id, on: name) }
            favorites.append(try Favorite.stored(rows.bytes(row, 11)))
            found.append(id)
        }
        let ids = isUnknown ? [] : try rows.integers(row, 6)
        guard found == ids else { throw .damagedRow(of: name) }
        self.init(
            revision: isUnknown ? base : try rows.integer(row, 4),
            digest: isUnknown ? 0 : try rows.integer(row, 5),
            ids: ids,
            favorites: favorites,
            exists: isUnknown ? false : try rows.boolean(row, 8),
            owner: rows.isNull(row, 7) ? nil : try rows.text(row, 7),
            isUnknown: isUnknown
        )
    }
}

extension PostgresConnection {
    /// The maximum number of changes that are read at once. With more, lists are compared instead.
    static let maximumChanges = 5_000

    /// Reads the changes of lists after a revision of each; nil if there are too many.
    func changes(
        after revisions: [ListName: Int64],
        in history: HistoryID
    ) throws(DatabaseFault) -> [LoggedChange]? {
        let rows = try run(.changes(of: revisions.map(\.key), after: revisions.map(\.value)))
        guard rows.count < Self.maximumChanges else { return nil }
        return try LoggedChange.all(in: rows, of: history)
    }
}

extension PostgresConnection.Call {
    /// A read of the changes of lists after a revision of each.
    static func changes(of lists: [ListName], after revisions: [Int64]) -> Self {
        Self(.changesOfLists, lists, revisions, PostgresConnection.maximumChanges)
    }
}

/// A change in the log of the database.
struct LoggedChange: Equatable {
    var news: ListChange
    var text: [UInt8]

    /// Returns whether the change matches its digest; `previous` is that of the list's change before, or 0.
    func isWhole(after previous: Int64) -> Bool {
        news.change != nil
            && news.digest == DatabaseDigest.next(after: previous, revision: news.revision, text: text)
    }
}

extension LoggedChange {
    /// Reads the rows of `Statement.changesOfLists`.
    static func all(in rows: Rows, of history: HistoryID) throws(DatabaseFault) -> [LoggedChange] {
        try (0..<rows.count).map { row throws(DatabaseFault) in
            guard HistoryID(try rows.integer(row, 4)) == history else { throw .otherHistory }
            return try LoggedChange(rows, row, from: 0)
        }
    }

    /// Reads the columns list, revision, digest and change. Of a damaged text only the revision is known.
    init(_ rows: Rows, _ row: Int, from column: Int) throws(DatabaseFault) {
        let list = try ListName(rows, row, column)
        let (revision, digest) = (try rows.integer(row, column + 1), try rows.integer(row, column + 2))
        text = try rows.bytes(row, column + 3)
        let change = FavoritesChange(logged: text, revision: revision)
        news =
            change.map { ListChange(list, $0, digest: digest) } ?? ListChange(list, revision: revision, digest: digest)
    }
}

extension ListName {
    init(_ rows: Rows, _ row: Int, _ column: Int) throws(DatabaseFault) {
        let text = try rows.text(row, column)
        guard !text.isEmpty, let name = ListName(text) else { throw .malformed("a list has an invalid name") }
        self = name
    }
}

extension Favorite {
    static func array(_ text: [UInt8]) throws(DatabaseFault) -> [Favorite] {
        do {
            return try FavoriteJSON.favorites(String(decoding: text, as: UTF8.self))
        } catch {
            throw .malformed("a snapshot cannot be read: \(error)")
        }
    }

    static func stored(_ text: [UInt8]) throws(DatabaseFault) -> Favorite {
        do {
            return try FavoriteJSON.favorite(utf8: text)
        } catch {
            throw .malformed("a snapshot cannot be read: \(error)")
        }
    }
}

extension AnsweredRequest {
    /// Reads the columns history, list, character, kind, flag, revision and evicted favorites of `marvel.answers`.
    init(_ rows: Rows, _ row: Int, from column: Int, to request: RequestKey) throws(DatabaseFault) {
        guard let kind = AnswerColumns.Kind(stored: try rows.integer(row, column + 3)) else {
            throw .malformed("an answer has an unknown kind of request")
        }
        let columns = AnswerColumns(
            kind,
            list: try rows.text(row, column + 1),
            characterID: try rows.integer(row, column + 2),
            flag: try rows.boolean(row, column + 4),
            revision: try rows.integer(row, column + 5)
        )
        let history = HistoryID(try rows.integer(row, column))
        let evicted = try rows.bytesIfAny(row, column + 6).map(Favorite.array) ?? []
        guard let answered = columns.answered(to: request, in: history, evicted: evicted) else {
            throw .malformed("an answer has no valid list or digest")
        }
        self = answered
    }
}

extension AnswerColumns.Kind {
    /// The column `desired`.
    var stored: Int16 {
        switch self {
        case .toggle(.toggle): 0
        case .toggle(.saved): 1
        case .toggle(.removed): 2
        case .deletion: 3
        case .edit: AnsweredEdit.stored
        }
    }

    fileprivate init?(stored number: Int64) {
        guard let kind = Self.all.first(where: { Int64($0.stored) == number }) else { return nil }
        self = kind
    }
}

extension KeptPicture {
    /// Reads a row of `marvel.pictures`; nil if its media type is unknown.
    init?(_ rows: Rows, _ row: Int) throws(DatabaseFault) {
        guard let mediaType = PictureType(rawValue: try rows.text(row, 1)) else { return nil }
        let picture = Picture(
            bytes: try rows.bytes(row, 3),
            mediaType: mediaType,
            isPlaceholder: try rows.boolean(row, 2)
        )
        let fetchedAt = Timestamp(seconds: try rows.integer(row, 4))
        self.init(id: try rows.integer(row, 0), picture: picture, fetchedAt: fetchedAt)
    }
}
