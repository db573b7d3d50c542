package import MarvelDomain

/// The contract of every store of edits, as cases to run on each.
package struct EditContract: Sendable, CustomStringConvertible {
    /// A store under test.
    package protocol Stage {
        var clock: ContractClock { get }

        /// Opens the same store again, after it was closed.
        func reopened() async throws -> any EditStore

        /// Flips a bit in the row of a character's edit.
        func damage(_ id: Int64) async throws
    }

    package let description: String
    private let body: @Sendable (any EditStore, any Stage) async throws -> Void

    private init(_ description: String, _ body: @escaping @Sendable (any EditStore, any Stage) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Runs the case on an empty store.
    ///
    /// - Throws: `ContractViolation` if the store does something else, or what it threw.
    package func run(on store: any EditStore, _ stage: any Stage) async throws { try await body(store, stage) }

    package static let all = [
        everyFieldIsKept, idsOfCreatedCharacters, anIDAtTheEndOfTheRange, idsThatAreTaken, charactersThatAreGone, edits,
        pictures, reverted, conflicts, requests, requestsOfPrincipals, damage,
    ]

    private static let first = EditedCharacter.createdIDs.lowerBound
    private static let png = Picture(
        bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 0, 255],
        mediaType: .png
    )
    private static let gif = Picture(bytes: Array("GIF89a.".utf8), mediaType: .gif)

    // MARK: Cases

    private static let everyFieldIsKept = EditContract("every field is stored, also after a restart") { store, stage in
        let full = CharacterEdit(
            name: "Náme",
            description: "",
            comicCount: 1,
            seriesCount: 2,
            storyCount: .max,
            eventCount: 0,
            urls: [CharacterURL(type: "wiki", url: "http://w?a=\"b\"")]
        )
        let made = try await store.put(EditOrder(.new(nil), full, picture: .set(png)))
        let expected = EditedCharacter(
            id: first,
            kind: .created,
            edit: full,
            pictureType: .png,
            editedAt: stage.clock.now,
            revision: 1
        )
        try expect(made, expected, "a created character")
        let edited = try await store.put(EditOrder(.existing(7), CharacterEdit(urls: [])))
        try expect(edited.kind, .edited)
        try expect(edited.edit, CharacterEdit(urls: []), "an empty list of urls replaces the source's")
        let again = try await stage.reopened()
        try expect(try await again.edits(after: 0), [made, edited])
        try expect(try await again.edits(after: 1), [edited])
        try expect(try await again.picture(of: first), png)
        try expect(try await again.picture(of: 7), nil)
    }

    private static let idsOfCreatedCharacters = EditContract("created characters get the next ids") { store, _ in
        let order = EditOrder(.new(nil), CharacterEdit(name: "x"))
        var ids: [Int64] = []
        ids.append(try await store.put(order).id)
        ids.append(try await store.put(order, taken: [first + 1]).id)
        _ = try await store.put(EditOrder(.reverted(first + 2)))
        ids.append(try await store.put(order).id)
        // Chosen ids outside the range leave it as it is.
        _ = try await store.put(EditOrder(.new(3_000_000_000), CharacterEdit(name: "x")))
        ids.append(try await store.put(order).id)
        try expect(ids, [0, 2, 3, 4].map { first + $0 })
    }

    private static let anIDAtTheEndOfTheRange = EditContract("an id at the end of the range does not block others") {
        store,
        _ in
        let order = EditOrder(.new(nil), CharacterEdit(name: "x"))
        let last = EditedCharacter.createdIDs.upperBound
        for id in [last, first + 1, .max] { _ = try await store.put(EditOrder(.new(id), CharacterEdit(name: "x"))) }
        var ids: [Int64] = []
        for _ in 1...3 { ids.append(try await store.put(order, taken: [first + 3]).id) }
        try expect(ids, [2, 4, 5].map { first + $0 })
    }

    private static let idsThatAreTaken = EditContract("an existing character is not created again") { store, _ in
        let order = EditOrder(.new(5), CharacterEdit(name: "x"))
        try await store.refuses(order, .characterExists(5), taken: [5])
        _ = try await store.put(order)
        try await store.refuses(order, .characterExists(5))
        _ = try await store.put(EditOrder(.reverted(5)))
        try expect(try await store.put(order).kind, .created)
    }

    private static let charactersThatAreGone = EditContract("a reverted character that no source has is not edited") {
        store,
        _ in
        _ = try await store.put(EditOrder(.new(5), CharacterEdit(name: "x")))
        let reverted = try await store.put(EditOrder(.reverted(5)))
        let order = EditOrder(.existing(5), CharacterEdit(name: "y"))
        try await store.refuses(order, .editConflict(current: 0), taken: [])
        try expect(try await store.edits(after: 0), [reverted])
    }

    private static let edits = EditContract("later edits keep unnamed fields") { store, _ in
        _ = try await store.put(EditOrder(.existing(7), CharacterEdit(name: "A", comicCount: 1)))
        let more = EditOrder(.existing(7), CharacterEdit(description: "d", comicCount: 2))
        let edited = try await store.put(more)
        try expect(edited.edit, CharacterEdit(name: "A", description: "d", comicCount: 2))
        try expect(edited.revision, 2)
        for same in [more, EditOrder(.existing(7)), EditOrder(.existing(7), CharacterEdit(name: "A"))] {
            try expect(try await store.put(same), edited, "an edit that changes nothing has no revision")
        }
    }

    private static let pictures = EditContract("a picture is set, kept, replaced and removed") { store, _ in
        let order = EditOrder(.existing(7), picture: .set(png))
        let set = try await store.put(order)
        try expect(try await store.put(order), set, "the same picture is not an edit")
        try expect(try await store.put(EditOrder(.existing(7), picture: .set(gif))).pictureType, .gif)
        try expect(try await store.put(EditOrder(.existing(7), CharacterEdit(name: "A"))).pictureType, .gif)
        try expect(try await store.picture(of: 7), gif)
        let removed = try await store.put(EditOrder(.existing(7), picture: .remove))
        try expect(removed.pictureType, nil)
        try expect(removed.revision, 4)
        try expect(try await store.picture(of: 7), nil)
        try expect(try await store.edits(after: 0), [removed])
    }

    private static let reverted = EditContract("reverted edits are reported") { store, _ in
        _ = try await store.put(EditOrder(.existing(7), CharacterEdit(name: "A"), picture: .set(png)))
        let reverted = try await store.put(EditOrder(.reverted(7)))
        try expect(reverted.kind, .reverted)
        try expect(reverted.edit, CharacterEdit())
        try expect(reverted.pictureType, nil)
        try expect(try await store.edits(after: 1), [reverted])
        try expect(try await store.picture(of: 7), nil)
        // Nothing is left to undo.
        try expect(try await store.put(EditOrder(.reverted(7))), reverted)
        try expect(try await store.put(EditOrder(.reverted(8))).revision, 0)
        try expect(try await store.edits(after: 0), [reverted])
    }

    private static let conflicts = EditContract("an edit that would overwrite another unseen is refused") { store, _ in
        func order(_ name: String, seen: Int64) -> EditOrder {
            EditOrder(.existing(7), CharacterEdit(name: name), expectedRevision: seen)
        }
        try await store.refuses(order("A", seen: 1), .editConflict(current: 0))
        _ = try await store.put(EditOrder(.existing(7), CharacterEdit(name: "A")))
        try expect(try await store.put(order("B", seen: 1)).revision, 2)
        try await store.refuses(order("C", seen: 1), .editConflict(current: 2))
        try expect(try await store.edits(after: 0).map(\.edit.name), ["B"])
    }

    private static let requests = EditContract("a repeated request is executed once") { store, stage in
        let order = EditOrder(.new(nil), CharacterEdit(name: "A"), picture: .set(png), request: key("r-1"))
        let made = try await store.put(order)
        try expect(try await store.put(order), made)
        let again = try await stage.reopened()
        try expect(try await again.put(order), made, "after a restart")
        var other = order
        other.edit.name = "B"
        try await again.refuses(other, .requestIDReused)
        other = order
        other.picture = .set(gif)
        try await again.refuses(other, .requestIDReused)
        // It is answered with what the character is then.
        let edited = try await again.put(EditOrder(.existing(made.id), CharacterEdit(name: "C")))
        try expect(try await again.put(order), edited)
        // A wall clock that jumps makes no answer old.
        for interval: Int64 in [8 * 86_400, -16 * 86_400] {
            stage.clock.advance(by: interval)
            let other = EditOrder(.existing(7), CharacterEdit(name: "A"), request: key("r-\(interval)"))
            _ = try await again.put(other)
            try expect(try await again.put(order), edited, "after a jump of \(interval) s")
        }
    }

    private static let requestsOfPrincipals = EditContract("a request id belongs to one principal") { store, _ in
        func order(_ name: String, of principal: String) -> EditOrder {
            EditOrder(.new(nil), CharacterEdit(name: name), request: key("r-1", of: principal))
        }
        let first = try await store.put(order("A", of: "anna"))
        let second = try await store.put(order("B", of: "berta"))
        try expect(second.id, first.id + 1)
        try expect(try await store.put(order("A", of: "anna")), first)
        try expect(try await store.put(order("B", of: "berta")), second)
        try await store.refuses(order("B", of: "anna"), .requestIDReused)
    }

    private static let damage = EditContract("a damaged edit is refused by name, and others are served") {
        store,
        stage in
        for id: Int64 in 7...9 {
            _ = try await store.put(EditOrder(.existing(id), CharacterEdit(name: "A"), picture: .set(png)))
        }
        try await stage.damage(8)
        let refusal = StoreError.damaged(DamagedEdit(of: 8))
        let again = try await stage.reopened()
        try expect(try await again.edits(after: 0).map(\.id), [7, 9])
        try await again.refuses(EditOrder(.existing(8), CharacterEdit(name: "B")), refusal)
        try await again.refuses(EditOrder(.reverted(8)), refusal)
        try expect(try await again.put(EditOrder(.existing(9), CharacterEdit(name: "B"))).revision, 4)
        try expect(try await again.picture(of: 9), png)
        try expect(try await again.put(EditOrder(.new(nil), CharacterEdit(name: "C"))).id, first)
    }

    /// Runs the case of a store of lists that also holds edits: a request id is for one request of either kind.
    package static func shareRequestIDs(_ store: any FavoritesStore, _ edits: any EditStore) async throws {
        var order = EditOrder(.existing(7), CharacterEdit(name: "A"), request: key("r"))
        _ = try await edits.put(order)
        try await expect(.requestIDReused, "a toggle") { try await store.answer(7, request: "r") }
        try await expect(.requestIDReused, "a deletion") {
            try await store.delete(.default, request: RequestKey(RequestID("r")))
        }
        try await store.answer(7, request: "s")
        order.request = key("s")
        try await edits.refuses(order, .requestIDReused)
    }

    private static func key(_ id: String, of principal: String = "") -> RequestKey? {
        RequestKey(RequestID(id), of: principal)
    }
}

extension EditStore {
    /// Writes an order. `taken` are the ids of the source's characters; nil for that of an existing target.
    fileprivate func put(_ order: EditOrder, taken: Set<Int64>? = nil) async throws(StoreError) -> EditedCharacter {
        try await write(order) { taken?.contains($0) ?? (order.target == .existing($0)) }
    }

    fileprivate func refuses(_ order: EditOrder, _ error: StoreError, taken: Set<Int64>? = nil) async throws {
        let result: Result<EditedCharacter, StoreError>
        do throws(StoreError) {
            result = .success(try await put(order, taken: taken))
        } catch {
            result = .failure(error)
        }
        try expect(result, .failure(error), "the answer to \(order)")
    }
}
