import MarvelDomain
import Testing

@testable import MarvelService

@Suite struct ListMirrorTests {
    private static let history = HistoryID(616)
    private var mirror = ListMirror(in: Self.history, maximumBytes: 1 << 20)

    private func favorite(_ id: Int64, nameLength: Int = 3) -> Favorite {
        let name = String(repeating: "x", count: nameLength)
        return Favorite(character: MarvelCharacter(id: id, name: name), savedAt: Timestamp(seconds: id))
    }

    /// The news of a change that saves a character whose id is the revision.
    private func saved(_ revision: Int64, on list: ListName = .default, nameLength: Int = 3) -> ListChange {
        ListChange(list, FavoritesChange(revision: revision, saved: favorite(revision, nameLength: nameLength)))
    }

    private func removed(_ id: Int64, at revision: Int64) -> ListChange {
        ListChange(.default, FavoritesChange(revision: revision, removed: favorite(id)))
    }

    private func answer(
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

    private func completed(_ lists: [ListSummary] = []) -> ListMirror {
        var mirror = mirror
        mirror.take(lists, in: 0)
        mirror.end(0)
        return mirror
    }

    // MARK: Ids

    @Test func idsAreUnknownUntilAllListsWereRead() {
        #expect(mirror.ids(of: .default) == nil)
        let mirror = completed([ListSummary(name: .default, revision: 3, ids: [2, 1])])
        #expect(mirror.ids(of: .default) == [2, 1])
        #expect(mirror.revision(of: .default) == 3)
        #expect(ListName("other").flatMap(mirror.ids) == [])
    }

    @Test mutating func changesAreAppliedOnceAndInOrder() {
        mirror = completed([ListSummary(name: .default, revision: 3, ids: [2, 3])])
        for news in [saved(4), removed(2, at: 5), saved(4), removed(2, at: 5), saved(6)] { mirror.changed(news) }
        #expect(mirror.ids(of: .default) == [3, 4, 6])
        #expect(mirror.revision(of: .default) == 6)
    }

    @Test mutating func aNewHistoryBeginsBelowWhatWasKnown() {
        mirror = completed([ListSummary(name: .default, revision: 3, ids: [2, 3])])
        mirror.renewed(HistoryID(617))
        #expect(mirror.ids(of: .default) == nil)
        #expect(mirror.lastKnownIDs(of: .default) == [2, 3])
        mirror.loaded(answer([2, 3, 4], at: 9), of: .default)
        #expect(mirror.ids(of: .default) == nil, "it was read in the history before")
        mirror.loaded(answer([2], at: 1, history: HistoryID(617)), of: .default)
        #expect(mirror.ids(of: .default) == [2])
        #expect(mirror.revision(of: .default) == 1)
    }

    @Test mutating func aNewListBeginsWithItsFirstChange() {
        mirror = completed()
        mirror.changed(saved(7))
        #expect(mirror.ids(of: .default) == [7])
    }

    @Test mutating func anEventThatComesAgainAfterADeletionDoesNotBringTheListBack() {
        mirror = completed()
        mirror.changed(saved(1))
        let deletion = FavoritesChange(revision: 2, cleared: [favorite(1)], isDeletion: true)
        mirror.changed(ListChange(.default, deletion))
        mirror.changed(saved(1))
        #expect(mirror.ids(of: .default) == [])
        #expect(mirror.revision(of: .default) == 2)
    }

    @Test mutating func anEventThatComesAgainAfterItsEmptyListWasEvictedDoesNotBringTheListBack() {
        mirror = ListMirror(in: Self.history, maximumBytes: 1)
        mirror.end(0)
        mirror.changed(saved(1))
        mirror.changed(ListChange(.default, FavoritesChange(revision: 2, removed: favorite(1))))
        #expect(mirror.ids(of: .default) == [], "it is empty, and was evicted")
        mirror.changed(saved(1))
        #expect(mirror.ids(of: .default) == nil, "only the store knows")
    }

    @Test(arguments: [false, true]) mutating func aGapMakesTheListUnknown(_ hasChange: Bool) {
        mirror = completed([ListSummary(name: .default, revision: 1, ids: [1])])
        mirror.loaded(answer([1], at: 1), of: .default)
        mirror.changed(hasChange ? saved(3) : ListChange(.default, revision: 2))
        #expect(mirror.ids(of: .default) == nil)
        #expect(mirror.lastKnownIDs(of: .default) == [1])
        #expect(mirror.answer(of: .default) == nil)
        mirror.loaded(answer([1, 2, 3], at: 3), of: .default)
        #expect(mirror.ids(of: .default) == [1, 2, 3])
    }

    /// The list was read before the change, and arrives after its event.
    @Test mutating func anOlderAnswerDoesNotReplaceWhatIsKnown() {
        mirror.changed(saved(5))
        mirror.take([ListSummary(name: .default, revision: 4, ids: [4])], in: 0)
        mirror.loaded(answer([4], at: 4), of: .default)
        #expect(mirror.ids(of: .default) == nil, "the earlier contents of the list are unknown")
        #expect(mirror.revision(of: .default) == 5)
        #expect(mirror.answer(of: .default) == nil)
    }

    /// The page was read before the deletion, and arrives after its event.
    @Test mutating func aListThatIsDeletedWhileAllAreReadStaysDeleted() {
        let deletion = FavoritesChange(revision: 6, cleared: [favorite(5)], isDeletion: true)
        mirror.changed(ListChange(.default, deletion))
        mirror.take([ListSummary(name: .default, revision: 5, ids: [5])], in: 0)
        mirror.end(0)
        #expect(mirror.ids(of: .default) != [5])
    }

    @Test mutating func lostEventsMakeAllListsUnknownAndEndTheReading() {
        mirror = completed([ListSummary(name: .default, revision: 1, ids: [1])])
        mirror.loaded(answer([1], at: 1), of: .default)
        mirror.lost()
        #expect(mirror.ids(of: .default) == nil)
        #expect(mirror.answer(of: .default) == nil)
        #expect(mirror.byteCount == 0)
        mirror.take([], in: 0, expecting: false)
        mirror.end(0, expecting: false)
        mirror.take([ListSummary(name: .default, revision: 4, ids: [4])], in: 1)
        mirror.end(1)
        #expect(mirror.ids(of: .default) == [4])
    }

    // MARK: Contents

    @Test mutating func changesWaitForTheNextQuestion() {
        mirror = completed()
        mirror.loaded(answer([], at: 0), of: .default)
        for revision in 1...8 as ClosedRange<Int64> { mirror.changed(saved(revision)) }
        #expect(mirror.answer(of: .default)?.later.map(\.revision) == Array(1...8))
        mirror.changed(saved(9))
        #expect(mirror.answer(of: .default) == nil, "so many changes are not kept")
        #expect(mirror.ids(of: .default) == Array(1...9))
    }

    // MARK: Eviction

    @Test mutating func contentsAreBoundedAndIDsAreNot() throws {
        mirror = ListMirror(in: Self.history, maximumBytes: 100_000)
        mirror = completed()
        let names = try (0..<400).map { try #require(ListName("list-\($0)")) }
        for name in names {
            mirror.loaded(answer([1, 2], at: 2, nameLength: 1_000), of: name)
            #expect(mirror.byteCount <= 100_000)
        }
        #expect((30...48).contains(mirror.answerCount), "\(mirror.answerCount) answers")
        #expect(names.allSatisfy { mirror.ids(of: $0) == [1, 2] })
        #expect(try mirror.answer(of: #require(names.last)) != nil)
    }

    @Test mutating func aListThatIsAskedForStays() throws {
        mirror = ListMirror(in: Self.history, maximumBytes: 100_000)
        mirror = completed()
        for number in 0..<400 {
            let name = try #require(ListName("list-\(number)"))
            mirror.loaded(answer([1, 2], at: 2, nameLength: 1_000), of: name)
            #expect(mirror.answer(of: try #require(ListName("list-0"))) != nil, "after \(number)")
        }
    }

    /// Names that nobody has a list of take no memory for long.
    @Test mutating func emptyListsAreEvictedToo() throws {
        mirror = ListMirror(in: Self.history, maximumBytes: 100_000)
        mirror = completed()
        for number in 0..<2_000 {
            mirror.loaded(answer([], at: 0), of: try #require(ListName("nobody-\(number)")))
        }
        #expect(mirror.byteCount <= 100_000)
        #expect(mirror.answerCount < 400)
        #expect(try mirror.ids(of: #require(ListName("nobody-0"))) == [])
    }

    @Test mutating func changesThatWaitCountToo() {
        mirror = ListMirror(in: Self.history, maximumBytes: 20_000)
        mirror = completed()
        mirror.loaded(answer([], at: 0), of: .default)
        for revision in 1...4 as ClosedRange<Int64> { mirror.changed(saved(revision, nameLength: 10_000)) }
        #expect(mirror.byteCount <= 20_000)
        #expect(mirror.answer(of: .default) == nil)
        #expect(mirror.ids(of: .default) == [1, 2, 3, 4])
    }
}

extension ListMirror {
    /// Takes a page, and expects that its reading continues, or not.
    fileprivate mutating func take(_ lists: [ListSummary], in reading: Reading, expecting isCurrent: Bool = true) {
        let goesOn = read(lists, in: reading)
        #expect(goesOn == isCurrent)
    }

    fileprivate mutating func end(_ reading: Reading, expecting isCurrent: Bool = true) {
        let isComplete = finish(reading)
        #expect(isComplete == isCurrent)
    }
}
