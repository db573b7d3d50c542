internal import MarvelDomain
internal import StoreContract
internal import Testing

@testable internal import FavoritesPostgres

@Suite struct ListMarksTests {
    private func mark(_ revision: Int64, digest: Int64 = 0, exists: Bool = true) -> ListMarks.Mark {
        ListMarks.Mark(revision: revision, digest: digest == 0 ? revision : digest, exists: exists)
    }

    @Test func aChangeIsKnownOrTheNextOrAfterAGap() throws {
        let marks = ListMarks([.default: mark(5)], in: HistoryID(1), base: 100)
        #expect((4...7).map { marks.relation(of: .default, at: $0) } == [.known, .known, .next, .gap(after: 5)])
        let unknown = try list("unknown")
        #expect(marks.relation(of: unknown, at: 101) == .next)
        #expect(marks.relation(of: unknown, at: 102) == .gap(after: 100))
    }

    @Test func listsAreCountedWhileTheyExist() throws {
        var marks = ListMarks([.default: mark(5), try list("gone"): mark(3, exists: false)], in: HistoryID(1))
        #expect(marks.listCount == 1)
        marks.published(try list("gone"), revision: 4, digest: 4, exists: true)
        marks.published(try list("new"), revision: 1, digest: 1, exists: true)
        #expect(marks.listCount == 3)
        marks.published(.default, revision: 6, digest: 6, exists: false)
        #expect(marks.listCount == 2)
    }

    @Test func whatTheDatabaseHasMoreIsADifference() throws {
        let marks = ListMarks([.default: mark(5), try list("same"): mark(2)], in: HistoryID(1), base: 7)
        let new = try list("new")
        let difference = marks.difference(
            to: ListMarks([.default: mark(6), try list("same"): mark(2), new: mark(9)], in: HistoryID(1), base: 7)
        )
        #expect(difference == .init(changed: [.default: 5, new: 7]))
    }

    @Test(arguments: [(4, 4), (5, 99)] as [(Int64, Int64)])
    func whatTheDatabaseHasLostOrHasOtherwiseIsALoss(_ revision: Int64, _ digest: Int64) {
        let marks = ListMarks([.default: mark(5)], in: HistoryID(1))
        let stored = ListMarks([.default: mark(revision, digest: digest)], in: HistoryID(1))
        #expect(marks.difference(to: stored).hasLostChanges)
    }

    @Test(arguments: [(6, true), (7, false), (8, false)] as [(Int64, Bool)])
    func aLowerBaseIsALoss(_ base: Int64, _ isLoss: Bool) {
        let marks = ListMarks([.default: mark(5)], in: HistoryID(1), base: 7)
        let stored = ListMarks([.default: mark(5)], in: HistoryID(1), base: base)
        #expect(marks.difference(to: stored).hasLostChanges == isLoss)
    }

    /// The name of a deleted list is dropped at last; the base is then above its revisions.
    @Test(arguments: [(4, true), (5, false)] as [(Int64, Bool)])
    func aListThatIsMissingIsALossUnlessTheBaseIsAboveIt(_ base: Int64, _ isLoss: Bool) {
        let marks = ListMarks([.default: mark(5)], in: HistoryID(1))
        #expect(marks.difference(to: ListMarks(in: HistoryID(1), base: base)).hasLostChanges == isLoss)
    }

    @Test func aHistoryIsPublishedIfItsRevisionsAreNew() throws {
        let publisher = FeedPublisher(ListMarks([.default: mark(5)], in: HistoryID(1), base: 3))
        let recorder = Recorder(publisher.feed)
        #expect(!publisher.renew(ListMarks(in: HistoryID(2), base: 3)))
        #expect(publisher.history == HistoryID(1))
        let next = ListMarks([.default: mark(100)], in: HistoryID(2), base: 100)
        #expect(publisher.renew(next) && publisher.renew(next))
        #expect(recorder.events == [.renewed(HistoryID(2))])
        // What is late, of the history before.
        let change = LoggedChange(news: ListChange(.default, FavoritesChange(revision: 101)), digest: 1)
        publisher.publish([change], in: HistoryID(1))
        publisher.reached([.default: mark(102)], in: HistoryID(1))
        #expect(publisher.gaps(before: [], answered: [(.default, 102)], in: HistoryID(1)) == [:])
        publisher.publish([change], in: HistoryID(2))
        #expect(recorder.news.map(\.revision) == [101])
    }

    @Test func changesArePublishedOnceAndInOrder() throws {
        func change(_ revision: Int64) -> LoggedChange {
            LoggedChange(news: ListChange(.default, FavoritesChange(revision: revision)), digest: revision)
        }
        let publisher = FeedPublisher(ListMarks(in: HistoryID(1)))
        let recorder = Recorder(publisher.feed)
        publisher.publish([change(1), change(2)], in: HistoryID(1))
        #expect(publisher.gaps(before: [change(4), change(5)], in: HistoryID(1)) == [.default: 2])
        #expect(publisher.gaps(before: [change(3), change(4)], in: HistoryID(1)) == [:])
        publisher.publish([change(2), change(3)], in: HistoryID(1))
        publisher.publish([change(5)], in: HistoryID(1))
        #expect(recorder.news.map(\.revision) == [1, 2, 3, 5])
        #expect(recorder.news.map { $0.change != nil } == [true, true, true, false])
        publisher.reached([.default: mark(4), try list("b"): mark(2)], in: HistoryID(1))
        #expect(recorder.news.count == 5)
        #expect(publisher.published[try list("b")]?.revision == 2)
    }
}
