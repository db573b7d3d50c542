import MarvelDomain
import Testing

@testable import MarvelService

@Suite struct ListTableTests {
    private static let history = HistoryID(616)
    private var table = ListTable(in: Self.history, maximumBytes: 1 << 20)

    private func favorite(_ id: Int64, nameLength: Int = 3) -> Favorite {
        let name = String(repeating: "x", count: nameLength)
        return Favorite(character: MarvelCharacter(id: id, name: name), savedAt: Timestamp(seconds: id))
    }

    /// The event of a change that saves a character whose id is the revision.
    private func saved(_ revision: Int64, nameLength: Int = 3) -> ListChange {
        ListChange(.default, FavoritesChange(revision: revision, saved: favorite(revision, nameLength: nameLength)))
    }

    private func removed(_ id: Int64, at revision: Int64) -> ListChange {
        ListChange(.default, FavoritesChange(revision: revision, removed: favorite(id)))
    }

    private func contents(
        _ ids: [Int64],
        at revision: Int64,
        history: HistoryID = Self.history,
        nameLength: Int = 3
    ) -> EncodedFavorites {
        EncodedFavorites(
            FavoritesList(
                favorites: ids.map { favorite($0, nameLength: nameLength) },
                revision: revision,
                capacity: 5
            ),
            of: .default,
            in: history,
            attribution: ""
        )
    }

    private mutating func complete(_ ids: [Int64] = [], at revision: Int64 = 0, maximumBytes: Int = 1 << 20) {
        table = ListTable(in: Self.history, maximumBytes: maximumBytes)
        read(ids, at: revision)
        table.finish(0)
    }

    private mutating func read(_ ids: [Int64], at revision: Int64, in reading: Int = 0, isCurrent: Bool = true) {
        let isTaken = table.read([ListSummary(name: .default, revision: revision, ids: ids)], in: reading)
        #expect(isTaken == isCurrent)
    }

    /// The revisions of the changes that wait; nil without contents.
    private mutating func later(_ name: ListName = .default) -> [Int64]? {
        table.contents(of: name)?.later.map(\.revision)
    }

    // MARK: Events

    @Test mutating func changesAreAppliedOnceAndInOrder() {
        complete([2, 3], at: 3)
        for news in [saved(4), removed(2, at: 5), saved(4), removed(2, at: 5), saved(6)] { table.changed(news) }
        #expect(table.ids(of: .default) == [3, 4, 6])
        #expect(table.revision(of: .default) == 6)
    }

    @Test mutating func anOldEventDoesNotRestoreADeletedList() {
        complete()
        table.changed(saved(1))
        let deletion = FavoritesChange(revision: 2, cleared: [favorite(1)], isDeletion: true)
        table.changed(ListChange(.default, deletion))
        table.changed(saved(1))
        #expect(table.ids(of: .default) == [])
        #expect(table.revision(of: .default) == 2)
    }

    @Test mutating func anOldEventDoesNotRestoreAnEvictedEmptyList() throws {
        complete(maximumBytes: 1)
        table.changed(saved(1))
        table.changed(removed(1, at: 2))
        // Two others are younger.
        for number in 0..<2 { table.loaded(contents([], at: 0), of: try #require(ListName("nobody-\(number)"))) }
        #expect(table.ids(of: .default) == [])
        #expect(table.revision(of: .default) == 0, "it was evicted")
        table.changed(saved(1))
        #expect(table.ids(of: .default) == nil, "only the store knows")
    }

    @Test(arguments: [false, true]) mutating func aGapMakesTheListUnknown(_ hasChange: Bool) {
        complete([1], at: 1)
        table.loaded(contents([1], at: 1), of: .default)
        table.changed(hasChange ? saved(3) : ListChange(.default, revision: 2))
        #expect(table.ids(of: .default) == nil)
        #expect(table.lastKnownIDs(of: .default) == [1])
        #expect(later() == nil)
        table.loaded(contents([1, 2, 3], at: 3), of: .default)
        #expect(table.ids(of: .default) == [1, 2, 3])
    }

    /// It can be evicted then. Anybody can make and delete lists of new names.
    @Test mutating func aDeletedListIsEmptyWhateverCameBefore() {
        let deletion = FavoritesChange(revision: 5, cleared: [favorite(1)], isDeletion: true)
        complete([1], at: 1)
        table.changed(ListChange(.default, deletion))
        #expect(table.ids(of: .default) == [], "after a gap")
        table = ListTable(in: Self.history, maximumBytes: 1)
        table.changed(ListChange(.default, deletion))
        #expect(table.ids(of: .default) == [], "not read yet")
        #expect(table.revision(of: .default) == 5)
    }

    // MARK: Reads

    /// The list was read before the change, and arrives after its event.
    @Test mutating func olderContentsDoNotReplaceNewerOnes() {
        table.changed(saved(5))
        read([4], at: 4)
        table.loaded(contents([4], at: 4), of: .default)
        #expect(table.ids(of: .default) == nil, "the earlier contents of the list are unknown")
        #expect(table.revision(of: .default) == 5)
        #expect(later() == nil)
    }

    /// The page was read before the deletion, and arrives after its event.
    @Test mutating func aListDeletedDuringTheReadStaysDeleted() {
        let deletion = FavoritesChange(revision: 6, cleared: [favorite(5)], isDeletion: true)
        table.changed(ListChange(.default, deletion))
        read([5], at: 5)
        table.finish(0)
        #expect(table.ids(of: .default) != [5])
    }

    // MARK: Contents

    @Test mutating func aRecentlyReadListIsNotEvicted() throws {
        complete(maximumBytes: 100_000)
        let names = try (0..<400).map { try #require(ListName("list-\($0)")) }
        for name in names {
            table.loaded(contents([1, 2], at: 2, nameLength: 1_000), of: name)
            #expect(later(names[0]) == [], "after \(name)")
        }
        let held = names.filter { later($0) != nil }
        #expect(held.count <= 48)
        #expect(names.allSatisfy { table.ids(of: $0) == [1, 2] })
    }

    /// Names that nobody has a list of take no memory for long.
    @Test mutating func emptyListsAreEvicted() throws {
        complete(maximumBytes: 100_000)
        let names = try (0..<2_000).map { try #require(ListName("nobody-\($0)")) }
        for name in names { table.loaded(contents([], at: 7), of: name) }
        #expect(names.count { table.revision(of: $0) == 7 } < 400)
        #expect(table.ids(of: names[0]) == [])
    }
}
