package import MarvelDomain

/// The tables of a store of edits, in a transaction.
package protocol EditTables {
    /// Returns all edits of a character; nil if it was never edited.
    func edit(of id: Int64) throws -> EditedCharacter?

    /// Writes the edits of a character, without its picture.
    func put(_ edited: EditedCharacter) throws

    /// Returns the number of characters that were ever edited.
    func count() throws -> Int

    /// Returns the revision for the next edit.
    func nextRevision() throws -> Int64

    /// Returns the largest id of an edited character in a range; nil if there is none.
    func lastID(in ids: ClosedRange<Int64>) throws -> Int64?

    func picture(of id: Int64) throws -> Picture?

    func put(_ picture: Picture, of id: Int64) throws

    func deletePicture(of id: Int64) throws

    /// Returns the character of an earlier request with the same key; nil if there was none.
    ///
    /// - Throws: `EditError.requestIDReused` if the earlier request was a different one.
    func character(of order: EditOrder, _ request: RequestKey) throws -> Int64?

    /// Keeps a request, and deletes those that are too old or too many.
    func insert(_ order: EditOrder, _ request: RequestKey, of id: Int64, at now: Timestamp) throws
}

/// The changes of the tables by one edit: the rules of every store of edits. Its caller begins and commits the transaction.
package struct EditTransaction {
    /// The maximum number of edited characters, because each takes memory in every server.
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

    /// Carries out the edit.
    ///
    /// - Parameter db: The tables.
    /// - Returns: All edits of the character.
    /// - Throws: `EditError`, or an error of the tables. The caller must then roll back the transaction.
    package func run(in db: some EditTables) throws -> EditedCharacter {
        if let request = order.request,
            let id = try db.character(of: order, request),
            let answered = try db.edit(of: id)
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
            try db.insert(order, request, of: edited.id, at: now)
        }
        return edited
    }

    private func create(_ wanted: Int64?, in db: some EditTables) throws -> EditedCharacter {
        let id: Int64
        if let wanted { id = wanted } else { id = try freeID(in: db) }
        let before = try db.edit(of: id)
        guard !isTaken(id), before.map({ $0.kind == .reverted }) ?? true else { throw EditError.exists(id) }
        return try put(.created, id, order.edit, replacing: before, in: db)
    }

    private func edit(_ id: Int64, in db: some EditTables) throws -> EditedCharacter {
        let before = try db.edit(of: id)
        let last = before?.kind == .reverted ? nil : before
        if let expected = order.expectedRevision, expected != last?.revision ?? 0 {
            throw EditError.conflict(current: last?.revision ?? 0)
        }
        let edit = (last?.edit ?? CharacterEdit()).followed(by: order.edit)
        if let last, last.edit == edit, try !changesPicture(of: last, in: db) { return last }
        return try put(last?.kind ?? .edited, id, edit, replacing: before, in: db)
    }

    private func revert(_ id: Int64, in db: some EditTables) throws -> EditedCharacter {
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
        try db.deletePicture(of: id)
        return try put(.reverted, id, CharacterEdit(), replacing: before, in: db)
    }

    private func freeID(in db: some EditTables) throws -> Int64 {
        let ids = EditedCharacter.createdIDs
        let last = try db.lastID(in: ids) ?? ids.lowerBound - 1
        // The one after the largest used id, or the first gap if somebody chose the largest possible id.
        var id = last < ids.upperBound ? last + 1 : ids.lowerBound
        while ids.contains(id) {
            guard try isTaken(id) || db.edit(of: id) != nil else { return id }
            id += 1
        }
        throw EditError.limitReached(maximum: ids.count)
    }

    private func changesPicture(of edited: EditedCharacter, in db: some EditTables) throws -> Bool {
        switch order.picture {
        case nil: false
        case .remove: edited.pictureType != nil
        case .set(let picture): try db.picture(of: edited.id) != picture
        }
    }

    private func put(
        _ kind: EditedCharacter.Kind,
        _ id: Int64,
        _ edit: CharacterEdit,
        replacing before: EditedCharacter?,
        in db: some EditTables
    ) throws -> EditedCharacter {
        guard try before != nil || db.count() < EditTransaction.maximumCount else {
            throw EditError.limitReached(maximum: EditTransaction.maximumCount)
        }
        var edited = EditedCharacter(
            id: id,
            kind: kind,
            edit: edit,
            pictureType: before?.pictureType,
            // Stores keep whole seconds.
            editedAt: Timestamp(seconds: now.seconds),
            revision: try db.nextRevision()
        )
        try db.put(edited)
        switch order.picture {
        case nil: if kind == .reverted { edited.pictureType = nil }
        case .remove:
            try db.deletePicture(of: id)
            edited.pictureType = nil
        case .set(let picture):
            try db.put(picture, of: id)
            edited.pictureType = picture.mediaType
        }
        return edited
    }
}
