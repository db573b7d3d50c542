/// The tables of a store with edits, in a transaction.
package protocol EditTables {
    /// Returns all edits of a character; nil if it was never edited.
    ///
    /// - Throws: `DamagedEdit`.
    func edit(of id: Int64) throws -> EditedCharacter?

    /// Returns the picture of a character's edit; nil if the edit has no picture.
    ///
    /// - Throws: `DamagedEdit`.
    func editPicture(of id: Int64) throws -> Picture?

    /// Writes all edits of a character and the change of its picture; nil keeps the picture.
    mutating func put(_ edited: EditedCharacter, _ picture: EditOrder.PictureChange?) throws

    /// Returns the number of characters that were ever edited. Above the maximum it may be any larger number.
    func editCount(atMost maximum: Int) throws -> Int

    /// Returns the revision of the newest edit, or the base revision of the history if that is higher. An earlier
    /// history may have used the revisions below the base for edits that are lost.
    func newestEditRevision() throws -> Int64

    /// Returns the largest id of an edited character in a range; nil if the range has no edited character.
    func lastEditedID(in ids: ClosedRange<Int64>) throws -> Int64?

    /// Returns the edit that an earlier request with this id made; nil if the id is new.
    ///
    /// - Throws: `StoreError.requestIDReused` if the id was used for another kind of request.
    func answeredEdit(_ request: RequestKey) throws -> AnsweredEdit?

    /// Stores the edit that a request made, and deletes old answers.
    mutating func keep(_ edit: AnsweredEdit, under request: RequestKey) throws
}

/// The rules of every edit store: the changes that one edit makes to the tables.
///
/// The caller begins and commits the transaction.
package struct EditTransaction {
    /// The maximum number of edited characters, because each uses memory in every server.
    package static let maximumCount = 100_000

    private let order: EditOrder
    private let now: Timestamp
    private let isTaken: (Int64) -> Bool

    /// - Parameters:
    ///   - order: The edit to write.
    ///   - now: The time of the edit.
    ///   - isTaken: Returns whether a source has a character with an id.
    package init(order: EditOrder, now: Timestamp, isTaken: @escaping (Int64) -> Bool) {
        (self.order, self.now, self.isTaken) = (order, now, isTaken)
    }

    /// Carries out the edit, and returns all edits of the character. It checks all rules before it writes.
    ///
    /// - Throws: `StoreError`, `DamagedEdit`, or an error of the tables, after which the transaction must be rolled
    ///   back.
    package func run(in db: inout some EditTables) throws -> EditedCharacter {
        let answered = try order.request.flatMap { try db.answeredEdit($0) }
        if let answered {
            guard answered.digest == order.digest else { throw StoreError.requestIDReused }
            if let edited = try db.edit(of: answered.characterID) { return edited }
        }
        let edited =
            switch order.target {
            case .new(let id): try create(id, in: &db)
            case .existing(let id): try edit(id, in: &db)
            case .reverted(let id): try revert(id, in: &db)
            case .imported(let id, let kind, let time): try replace(id, kind, at: time, in: &db)
            }
        if let request = order.request, answered == nil {
            try db.keep(AnsweredEdit(digest: order.digest, characterID: edited.id), under: request)
        }
        return edited
    }

    private func create(_ wanted: Int64?, in db: inout some EditTables) throws -> EditedCharacter {
        let id: Int64
        if let wanted { id = wanted } else { id = try freeID(in: db) }
        let before = try db.edit(of: id)
        guard !isTaken(id), before.map({ $0.kind == .reverted }) ?? true else { throw StoreError.characterExists(id) }
        return try put(.created, id, order.edit, replacing: before, in: &db)
    }

    private func edit(_ id: Int64, in db: inout some EditTables) throws -> EditedCharacter {
        let before = try db.edit(of: id)
        let last = before?.kind == .reverted ? nil : before
        if let expected = order.expectedRevision, expected != last?.revision ?? 0 {
            throw StoreError.editConflict(current: last?.revision ?? 0)
        }
        // A created character may have been reverted since the caller saw it.
        guard last != nil || isTaken(id) else { throw StoreError.editConflict(current: 0) }
        let edit = (last?.edit ?? CharacterEdit()).followed(by: order.edit)
        if let last, last.edit == edit, try !changesPicture(of: last, in: db) { return last }
        return try put(last?.kind ?? .edited, id, edit, replacing: before, in: &db)
    }

    private func revert(_ id: Int64, in db: inout some EditTables) throws -> EditedCharacter {
        let before = try db.edit(of: id)
        guard let before, before.kind != .reverted else {
            return EditedCharacter(
                id: id,
                kind: .reverted,
                edit: CharacterEdit(),
                editedAt: now,
                revision: before?.revision ?? 0
            )
        }
        return try put(.reverted, id, CharacterEdit(), replacing: before, in: &db)
    }

    private func replace(
        _ id: Int64,
        _ kind: EditedCharacter.Kind,
        at time: Timestamp,
        in db: inout some EditTables
    ) throws -> EditedCharacter {
        let before = try db.edit(of: id)
        if let before, before.kind == kind, before.edit == order.edit, before.editedAt == time,
            try !changesPicture(of: before, in: db)
        {
            return before
        }
        return try put(kind, id, order.edit, at: time, replacing: before, in: &db)
    }

    private func freeID(in db: some EditTables) throws -> Int64 {
        var ids = EditedCharacter.createdIDs
        while ids.count > 1 {
            let last = try db.lastEditedID(in: ids) ?? ids.lowerBound - 1
            if let id = (last + 1..<ids.upperBound + 1).first(where: { !isTaken($0) }) { return id }
            ids = ids.lowerBound...ids.lowerBound + Int64(ids.count / 2) - 1
        }
        throw StoreError.editLimitReached(maximum: EditedCharacter.createdIDs.count)
    }

    private func changesPicture(of edited: EditedCharacter, in db: some EditTables) throws -> Bool {
        switch order.picture {
        case nil: false
        case .remove: edited.pictureType != nil
        case .set(let picture): try db.editPicture(of: edited.id) != picture
        }
    }

    private func put(
        _ kind: EditedCharacter.Kind,
        _ id: Int64,
        _ edit: CharacterEdit,
        at time: Timestamp? = nil,
        replacing before: EditedCharacter?,
        in db: inout some EditTables
    ) throws -> EditedCharacter {
        let maximum = EditTransaction.maximumCount
        guard try before != nil || db.editCount(atMost: maximum) < maximum else {
            throw StoreError.editLimitReached(maximum: maximum)
        }
        let (revision, overflow) = try db.newestEditRevision().addingReportingOverflow(1)
        guard !overflow else { throw StoreError.notWritable("no more revisions") }
        let picture = kind == .reverted ? .remove : order.picture
        let edited = EditedCharacter(
            id: id,
            kind: kind,
            edit: edit,
            pictureType: picture.map(\.type) ?? before?.pictureType,
            // Stores keep whole seconds.
            editedAt: Timestamp(seconds: (time ?? now).seconds),
            revision: revision
        )
        try db.put(edited, picture)
        return edited
    }
}

extension EditOrder.PictureChange {
    /// The format of the picture after the change; nil if it is removed.
    fileprivate var type: PictureType? {
        switch self {
        case .set(let picture): picture.mediaType
        case .remove: nil
        }
    }
}
