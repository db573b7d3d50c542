internal import CatalogEdits
internal import GRDB
internal import MarvelDomain

/// The changes of the tables by one edit. Its caller begins and commits the transaction.
struct EditTransaction {
    /// The maximum number of edited characters, because each takes memory in every server.
    static let maximumCount = 100_000

    let order: EditOrder
    let now: Timestamp
    let isTaken: (Int64) -> Bool

    /// Carries out the edit.
    ///
    /// - Throws: `EditError`, or an error of SQLite. The caller must then roll back the transaction.
    func run(in db: Database) throws -> EditedCharacter {
        if let request = order.request,
            let id = try EditRequestsTable.character(of: order, request, in: db),
            let answered = try EditsTable.edit(of: id, in: db)
        {
            return answered
        }
        let edited =
            switch order.target {
            case .new(let id): try create(id, in: db)
            case .existing(let id): try edit(id, in: db)
            case .reverted(let id): try revert(id, in: db)
            }
        if let request = order.request {
            try EditRequestsTable.insert(order, request, of: edited.id, at: now, in: db)
        }
        return edited
    }

    private func create(_ wanted: Int64?, in db: Database) throws -> EditedCharacter {
        let id: Int64
        if let wanted { id = wanted } else { id = try freeID(in: db) }
        let before = try EditsTable.edit(of: id, in: db)
        guard !isTaken(id), before.map({ $0.kind == .reverted }) ?? true else { throw EditError.exists(id) }
        return try put(.created, id, order.edit, replacing: before, in: db)
    }

    private func edit(_ id: Int64, in db: Database) throws -> EditedCharacter {
        let before = try EditsTable.edit(of: id, in: db)
        let last = before?.kind == .reverted ? nil : before
        if let expected = order.expectedRevision, expected != last?.revision ?? 0 {
            throw EditError.conflict(current: last?.revision ?? 0)
        }
        let edit = (last?.edit ?? CharacterEdit()).followed(by: order.edit)
        if let last, last.edit == edit, try !changesPicture(of: last, in: db) { return last }
        return try put(last?.kind ?? .edited, id, edit, replacing: before, in: db)
    }

    private func revert(_ id: Int64, in db: Database) throws -> EditedCharacter {
        let before = try EditsTable.edit(of: id, in: db)
        guard let before, before.kind != .reverted else {
            return EditedCharacter(
                id: id,
                kind: .reverted,
                edit: CharacterEdit(),
                editedAt: now,
                revision: before?.revision ?? 0
            )
        }
        try EditPicturesTable.delete(of: id, in: db)
        return try put(.reverted, id, CharacterEdit(), replacing: before, in: db)
    }

    private func freeID(in db: Database) throws -> Int64 {
        var id = try EditsTable.nextCreatedID(in: db)
        while EditedCharacter.createdIDs.contains(id) {
            guard try isTaken(id) || EditsTable.edit(of: id, in: db) != nil else { return id }
            id += 1
        }
        throw EditError.limitReached(maximum: EditedCharacter.createdIDs.count)
    }

    private func changesPicture(of edited: EditedCharacter, in db: Database) throws -> Bool {
        switch order.picture {
        case nil: false
        case .remove: edited.pictureType != nil
        case .set(let picture): try EditPicturesTable.picture(of: edited.id, in: db) != picture
        }
    }

    private func put(
        _ kind: EditedCharacter.Kind,
        _ id: Int64,
        _ edit: CharacterEdit,
        replacing before: EditedCharacter?,
        in db: Database
    ) throws -> EditedCharacter {
        guard try before != nil || EditsTable.count(in: db) < EditTransaction.maximumCount else {
            throw EditError.limitReached(maximum: EditTransaction.maximumCount)
        }
        var edited = EditedCharacter(
            id: id,
            kind: kind,
            edit: edit,
            pictureType: before?.pictureType,
            // The file stores whole seconds.
            editedAt: Timestamp(seconds: now.seconds),
            revision: try EditsTable.nextRevision(in: db)
        )
        try EditsTable.put(edited, in: db)
        switch order.picture {
        case nil: if kind == .reverted { edited.pictureType = nil }
        case .remove:
            try EditPicturesTable.delete(of: id, in: db)
            edited.pictureType = nil
        case .set(let picture):
            try EditPicturesTable.put(picture, of: id, in: db)
            edited.pictureType = picture.mediaType
        }
        return edited
    }
}
