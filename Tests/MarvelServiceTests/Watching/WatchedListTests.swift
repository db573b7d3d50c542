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

    private func load(at revision: Int64) {
        list.loaded(FavoritesList(favorites: [], revision: revision, capacity: 5))
    }

    @Test func whatHappenedWhileItWasReadIsPartOfIt() {
        change(1...250)
        load(at: 240)
        #expect(list.snapshot()?.revision == 250)
        change(251...252)
        #expect(list.snapshot()?.revision == 252)
    }

    /// A snapshot that is followed by nothing would be missed by what comes next, for ever.
    @Test func whatWasReadTooLongAgoIsNotUsed() {
        change(1...300)
        load(at: 3)
        #expect(list.snapshot() == nil)
        load(at: 44)
        #expect(list.snapshot()?.revision == 300)
    }

    @Test func aChangeThatWasReadBeforeItWasHeardOfIsNotAppliedTwice() {
        load(at: 5)
        change(4...5)
        #expect(list.snapshot()?.revision == 5)
        change(6...6)
        #expect(list.snapshot()?.revision == 6)
    }

    @Test func aGapMeansToReadAgain() {
        load(at: 5)
        change(7...7)
        #expect(list.snapshot() == nil)
        load(at: 7)
        #expect(list.snapshot()?.revision == 7)
    }
}
