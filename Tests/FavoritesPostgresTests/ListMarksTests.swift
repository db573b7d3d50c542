internal import FavoritesEngine
internal import MarvelDomain
internal import StoreContract
internal import Testing

@testable internal import FavoritesPostgres

@Suite struct ListMarksTests {
    private func mark(_ revision: Int64, digest: Int64 = 0, exists: Bool = true) -> ListMarks.Mark {
        ListMarks.Mark(revision: revision, digest: digest == 0 ? revision : digest, exists: exists)
    }

    @Test func listsAreCountedWhileTheyExist() throws {
        var marks = ListMarks([.default: mark(5), try list("gone"): mark(3, exists: false)], in: HistoryID(1))
        #expect(marks.listCount == 1)
        var areNew = [
            marks.publish(mark(4), of: try list("gone")), marks.publish(mark(1), of: try list("new")),
        ]
        #expect(marks.listCount == 3)
        areNew.append(marks.publish(mark(6, exists: false), of: .default))
        #expect(marks.listCount == 2)
        areNew.append(marks.publish(mark(6), of: .default))
        #expect(marks.listCount == 2)
        #expect(areNew == [true, true, true, false])
    }

    @Test func newerRevisionsAreReportedAsChanged() throws {
        let marks = ListMarks([.default: mark(5), try list("same"): mark(2)], in: HistoryID(1), base: 7)
        let new = try list("new")
        let difference = marks.difference(
            to: ListMarks([.default: mark(6), try list("same"): mark(2), new: mark(9)], in: HistoryID(1), base: 7)
        )
        #expect(difference == .init(base: 7, changed: [.default: 5, new: 7]))
        #expect(!difference.hasLostChanges)
    }

    @Test(arguments: [(4, 4), (5, 99)] as [(Int64, Int64)])
    func missingAndChangedCommitsAreALoss(_ revision: Int64, _ digest: Int64) {
        let marks = ListMarks([.default: mark(5)], in: HistoryID(1))
        let stored = ListMarks([.default: mark(revision, digest: digest)], in: HistoryID(1))
        var difference = marks.difference(to: stored)
        #expect(difference.hasLostChanges && difference.suspects == [.default])
        difference.forget([.default])
        #expect(difference == .init(base: 0))
    }

    @Test(arguments: [(6, true), (7, false), (8, false)] as [(Int64, Bool)])
    func aLowerBaseIsALoss(_ base: Int64, _ isLoss: Bool) {
        let marks = ListMarks([.default: mark(5)], in: HistoryID(1), base: 7)
        let stored = ListMarks([.default: mark(5)], in: HistoryID(1), base: base)
        #expect(marks.difference(to: stored).hasLostChanges == isLoss)
    }

    /// The name of a deleted list is dropped at last; the base is then at its revision, or above. A list that still exists here has
    /// a lower revision than its deletion.
    @Test(arguments: [(4, false, true), (5, false, false), (5, true, true), (6, true, false)] as [(Int64, Bool, Bool)])
    func aMissingListAboveTheBaseIsALoss(_ base: Int64, _ exists: Bool, _ isLoss: Bool) {
        let marks = ListMarks([.default: mark(5, exists: exists)], in: HistoryID(1))
        var difference = marks.difference(to: ListMarks(in: HistoryID(1), base: base))
        #expect(difference.hasLostChanges == isLoss)
        let deletion = ListMarks.Mark(revision: base, digest: 0, exists: false)
        #expect(difference.deleted == (exists ? [.default: deletion] : [:]))
        #expect(difference.suspects == (exists ? [.default] : []))
        difference.forget([.default])
        #expect(!difference.hasLostChanges && difference.deleted == [:])
    }

    @Test func aHistoryIsPublishedOnlyIfItsRevisionsAreNew() throws {
        let publisher = FeedPublisher(.init(), ListMarks([.default: mark(5)], in: HistoryID(1), base: 3))
        let recorder = FeedRecorder(publisher.feed)
        #expect(!publisher.renew(ListMarks(in: HistoryID(2), base: 3)))
        #expect(publisher.history == HistoryID(1))
        let next = ListMarks([.default: mark(100)], in: HistoryID(2), base: 100)
        #expect(publisher.renew(next) && publisher.renew(next))
        #expect(recorder.events == [.renewed(HistoryID(2))])
        // Late changes of the earlier history.
        let change = logged([101], after: 100)
        publisher.publish(change, in: HistoryID(1))
        publisher.reached([.default: mark(102)], in: HistoryID(1))
        publisher.publish(change, in: HistoryID(2))
        #expect(recorder.news.map(\.revision) == [101])
    }

    /// Changes of the default list, whose digest before them is a number.
    private func logged(_ revisions: [Int64], after digest: Int64) -> [LoggedChange] {
        var last = digest
        return revisions.map { revision in
            let text = Array("change \(revision)".utf8)
            last = DatabaseDigest.next(after: last, revision: revision, text: text)
            let news = ListChange(.default, FavoritesChange(revision: revision), digest: last)
            return LoggedChange(news: news, text: text)
        }
    }

    @Test func changesArePublishedOnceAndInOrder() throws {
        let publisher = FeedPublisher(.init(), ListMarks(in: HistoryID(1)))
        let recorder = FeedRecorder(publisher.feed)
        let changes = logged([1, 2, 3, 4, 5], after: 0)
        publisher.publish(Array(changes[0...1]), in: HistoryID(1))
        publisher.publish(Array(changes[1...2]), in: HistoryID(1))
        publisher.publish([changes[4]], in: HistoryID(1))
        #expect(recorder.news.map(\.revision) == [1, 2, 3, 5])
        #expect(recorder.news.map { $0.change != nil } == [true, true, true, false])
        publisher.reached([.default: mark(4), try list("b"): mark(2)], in: HistoryID(1))
        #expect(recorder.news.map(\.revision) == [1, 2, 3, 5, 2])
        #expect(publisher.published[try list("b")]?.revision == 2)
    }

    @Test func aChangeWithAnotherDigestIsAGap() {
        let publisher = FeedPublisher(.init(), ListMarks(in: HistoryID(1)))
        let recorder = FeedRecorder(publisher.feed)
        publisher.publish(logged([1], after: 9) + logged([2], after: 9), in: HistoryID(1))
        #expect(recorder.news.map { $0.change != nil } == [false, false])
    }
}
