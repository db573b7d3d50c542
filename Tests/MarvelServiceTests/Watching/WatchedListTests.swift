import MarvelDomain
import Testing

@testable import MarvelService

@Suite struct WatchedListTests {
    private let list = WatchedList(.default, in: HistoryID(616), attribution: { "" }, ended: { _ in })

    private func change(_ revisions: ClosedRange<Int64>) {
        for revision in revisions {
            let character = MarvelCharacter(id: revision, name: "")
            let saved = Favorite(character: character, savedAt: Timestamp(seconds: revision))
            list.changed(FavoritesChange(revision: revision, saved: saved))
        }
    }

    /// The revisions that a watcher gets after its own, and whether it missed some then.
    private func revisions(after revision: Int64) -> ([Int64], isBehind: Bool) {
        var (revisions, last) = ([Int64](), revision)
        while case .change(let change) = list.following(last) {
            last = change.change.revision
            revisions.append(last)
        }
        if case .missed = list.following(last) { return (revisions, true) }
        return (revisions, false)
    }

    @Test func aChangeThatComesAgainIsNotSentTwice() {
        change(1...3)
        change(2...4)
        #expect(revisions(after: 0) == ([1, 2, 3, 4], isBehind: false))
        #expect(revisions(after: 3) == ([4], isBehind: false))
    }

    @Test func aReaderBehindAGapGetsASnapshot() {
        change(1...3)
        change(5...6)
        #expect(revisions(after: 3) == ([], isBehind: true))
        #expect(revisions(after: 4) == ([5, 6], isBehind: false))
    }

    @Test func changesThatAreNotAtHandAreAGapToo() {
        change(1...3)
        list.reached(5)
        #expect(revisions(after: 2) == ([3], isBehind: true))
        #expect(revisions(after: 5) == ([], isBehind: false))
        change(4...6)
        #expect(revisions(after: 5) == ([6], isBehind: false))
        list.reached(2)
        #expect(revisions(after: 6) == ([], isBehind: false))
    }

    @Test func anUnpublishedRevisionIsUnknown() {
        guard case .unknown = list.following(4) else {
            Issue.record("nothing is known of the list")
            return
        }
        change(1...3)
        guard case .unknown = list.following(4) else {
            Issue.record("the list is at 3")
            return
        }
    }
}
