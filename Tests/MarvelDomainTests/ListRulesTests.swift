import MarvelDomain
import Testing

/// The rules of a list, by tables.
@Suite struct ListRulesTests {
    private static let now = Timestamp(seconds: 1_700_000_000)

    private func character(_ id: Int64) -> MarvelCharacter { MarvelCharacter(id: id, name: "Character \(id)") }

    private func favorite(_ id: Int64) -> Favorite {
        Favorite(character: character(id), savedAt: Timestamp(seconds: id))
    }

    private func list(_ ids: [Int64], after edit: ListEdit) -> [Int64] {
        var left: Set<Int64> = []
        edit.forEachLeavingID { left.insert($0) }
        return ids.filter { !left.contains($0) } + [edit.saved].compactMap { $0?.character.id }
    }

    private func decide(
        _ desired: Toggle.Desired,
        ids: [Int64],
        capacity: Int = 3,
        exists: Bool = true,
        listCount: Int = 2,
        owner: ListOwner = .nobody,
        maximumListsPerOwner: Int = 100,
        snapshot: MarvelCharacter?,
        owned: (String) -> Int = { _ in 0 }
    ) -> ListDecision {
        ListRules(capacity: capacity, maximumLists: 2, maximumListsPerOwner: maximumListsPerOwner).decide(
            Toggle(list: .default, characterID: 7, desired: desired, request: nil, owner: owner),
            on: .init(ids: ids, exists: exists, listCount: listCount),
            saving: snapshot,
            at: Self.now,
            owned: owned
        )
    }

    @Test(arguments: [
        ([], Toggle.Desired.toggle, [] as [Int64]),
        ([], .saved, []),
        ([1, 2], .toggle, []),
        ([1, 2, 3], .toggle, [1]),
        ([1, 2, 3, 4, 5], .saved, [1, 2, 3]),
    ])
    func aSaveEvictsAsManyAsItTakes(ids: [Int64], desired: Toggle.Desired, evicted: [Int64]) {
        guard case .edit(let edit) = decide(desired, ids: ids, snapshot: character(7)) else {
            Issue.record("it should save")
            return
        }
        #expect(edit.saved == Favorite(character: character(7), savedAt: Self.now))
        #expect(edit.evicted == evicted)
        #expect(list(ids, after: edit) == ids.dropFirst(evicted.count) + [7])
        let change = edit.change(at: 9, held: favorite)
        #expect((change.revision, change.saved, change.evicted) == (9, edit.saved, evicted.map(favorite)))
    }

    @Test(arguments: [([7], Toggle.Desired.toggle), ([7], .removed), ([1, 2, 7], .toggle), ([7, 8], .removed)])
    func aRemovalNeedsNoSnapshotAndNoPlace(ids: [Int64], desired: Toggle.Desired) {
        guard case .edit(let edit) = decide(desired, ids: ids, snapshot: nil) else {
            Issue.record("it should remove")
            return
        }
        #expect(edit.removed == 7)
        #expect(list(ids, after: edit) == ids.filter { $0 != 7 })
    }

    @Test(arguments: [
        ([7], Toggle.Desired.saved, true), ([], .removed, false), ([1, 2, 3, 4, 7], .saved, true),
    ])
    func aListThatIsAsWantedStays(ids: [Int64], desired: Toggle.Desired, isFavorite: Bool) {
        guard case .nothing(isFavorite) = decide(desired, ids: ids, exists: false, snapshot: nil) else {
            Issue.record("nothing should change")
            return
        }
    }

    @Test func aSaveNeedsTheSnapshotOfItsCharacter() {
        for snapshot in [nil, character(8)] {
            guard case .characterNeeded = decide(.saved, ids: [], exists: false, snapshot: snapshot) else {
                Issue.record("\(String(describing: snapshot)) is not enough")
                return
            }
        }
    }

    @Test func aNewListNeedsAPlace() {
        let decision = decide(.saved, ids: [], exists: false, snapshot: character(7))
        #expect(decision == .refused(.listLimitReached(maximum: 2)))
    }

    /// Each row: the owner, the lists that it has, the maximum, and the maximum that it is refused with.
    @Test(
        arguments: [
            (.nobody, 9, 3, nil), (.named("anna"), 2, 3, nil), (.named("anna"), 3, 3, 3), (.named("anna"), 4, 3, 3),
            (.named("anna"), 1_000, 0, nil), (.stranger, 0, 3, 0), (.stranger, 0, 0, 0),
        ] as [(ListOwner, Int, Int, Int?)]
    )
    func anOwnerMakesNoMoreListsThanItMayHave(owner: ListOwner, count: Int, maximum: Int, refused: Int?) {
        func decide(exists: Bool) -> ListDecision {
            self.decide(
                .saved,
                ids: [],
                exists: exists,
                listCount: 1,
                owner: owner,
                maximumListsPerOwner: maximum,
                snapshot: character(7),
                owned: { name in name == "anna" ? count : 0 }
            )
        }
        let saved = ListDecision.edit(ListEdit(saved: Favorite(character: character(7), savedAt: Self.now)))
        #expect(decide(exists: false) == refused.map { .refused(.ownedListLimitReached(maximum: $0)) } ?? saved)
        #expect(decide(exists: true) == saved, "anybody can save to an existing list")
    }

    @Test func ownedListsAreCountedForANewListOnly() {
        for (desired, ids, exists) in [
            (.saved, [], true), (.removed, [], false), (.removed, [7], true), (.saved, [7], true),
        ] as [(Toggle.Desired, [Int64], Bool)] {
            _ = decide(
                desired,
                ids: ids,
                exists: exists,
                listCount: 1,
                owner: .named("anna"),
                snapshot: character(7),
                owned: { _ in
                    Issue.record("\(desired) makes no list")
                    return 0
                }
            )
        }
    }

    @Test(
        arguments: [
            ("", ListOwner.nobody), ("anna", .named("anna")), ("a b", nil), ("ä", nil),
            (String(repeating: "a", count: 65), nil),
        ] as [(String, ListOwner?)]
    )
    func theNameOfAnOwnerIsPrintable(text: String, owner: ListOwner?) {
        #expect(ListOwner(stored: text) == owner)
    }

    @Test func aDeletionClearsTheList() {
        let edit = ListRules.deletion(of: [2, 1])
        let change = FavoritesChange(revision: 3, cleared: [favorite(2), favorite(1)], isDeletion: true)
        #expect(edit.change(at: 3, held: favorite) == change)
        #expect(list([2, 1], after: edit) == [])
    }
}
