internal import MarvelDomain

/// The rows of `marvel.answers`.
extension AnsweredRequest {
    /// Reads the columns history, list, character, kind, flag, revision and evicted favorites.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - row: The row.
    ///   - column: The first of the columns.
    ///   - request: The key of the request.
    /// - Throws: `.malformed`.
    init(_ rows: Rows, _ row: Int, from column: Int, to request: RequestKey) throws(DatabaseFault) {
        let kind = try rows.integer(row, column + 3)
        if kind == AnsweredEdit.stored {
            self = .edit(try AnsweredEdit(rows, row, list: column + 1, character: column + 2))
            return
        }
        let list = try ListName(rows, row, column + 1)
        let (flag, revision) = (try rows.boolean(row, column + 4), try rows.integer(row, column + 5))
        let history = HistoryID(try rows.integer(row, column))
        let place = FavoritesPlace(list: list, history: history, revision: revision)
        guard let desired = try Toggle.Desired(stored: kind) else {
            self = .deletion(list, ListDeletion(revision: revision, existed: flag, place: place))
            return
        }
        let id = try rows.integer(row, column + 2)
        let evicted = try rows.bytesIfAny(row, column + 6).map(Favorite.array) ?? []
        let toggle = Toggle(list: list, characterID: id, desired: desired, request: request)
        self = .toggle(toggle, ToggleResult(isFavorite: flag, revision: revision, evicted: evicted, place: place))
    }
}

extension AnswerColumns.Kind {
    /// The column `desired`: the kind of the request.
    var stored: Int16 {
        switch self {
        case .toggle(.toggle): 0
        case .toggle(.saved): 1
        case .toggle(.removed): 2
        case .deletion: 3
        case .edit: AnsweredEdit.stored
        }
    }
}

extension Toggle.Desired {
    /// Reads the column `desired` of an answer; nil for that to a deletion.
    ///
    /// - Throws: `.malformed` if no request has that number.
    fileprivate init?(stored number: Int64) throws(DatabaseFault) {
        switch number {
        case 0: self = .toggle
        case 1: self = .saved
        case 2: self = .removed
        case 3: return nil
        default: throw .malformed("an answer has an unknown kind of request")
        }
    }
}
