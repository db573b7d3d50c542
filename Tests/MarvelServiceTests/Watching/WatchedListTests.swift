import MarvelDomain
import RPCCore
import Testing
import WireMessages

@testable import MarvelService

@Suite struct WatchedListTests {
    private let list = WatchedList(.default, in: HistoryID(616), attribution: { "" }, released: {})

    private func change(_ revisions: ClosedRange<Int64>, nameLength: Int = 0) {
        for revision in revisions {
            let character = MarvelCharacter(id: revision, name: String(repeating: "x", count: nameLength))
            let saved = Favorite(character: character, savedAt: Timestamp(seconds: revision))
            list.changed(ListChange(.default, FavoritesChange(revision: revision, saved: saved)))
        }
    }

    private func reach(_ revision: Int64) { list.changed(ListChange(.default, revision: revision)) }

    /// The revisions that a watcher gets after its own, and whether it missed some then.
    private func revisions(after revision: Int64) -> ([Int64], isBehind: Bool) {
        var (revisions, last) = ([Int64](), revision)
        while case .change(let change) = list.following(last) {
            let response = try? WatchFavoritesResponse(decoding: change.bytes, limit: .response)
            last = response?.event?.change?.revision ?? .max
            revisions.append(last)
        }
        if case .missed = list.following(last) { return (revisions, true) }
        return (revisions, false)
    }

    @Test func aRepeatedEventIsNotSentTwice() {
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

    @Test func aRevisionWithoutItsChangeIsAGapToo() {
        change(1...3)
        reach(5)
        #expect(revisions(after: 2) == ([], isBehind: true))
        #expect(revisions(after: 5) == ([], isBehind: false))
        change(4...6)
        #expect(revisions(after: 5) == ([6], isBehind: false))
        reach(2)
        #expect(revisions(after: 6) == ([], isBehind: false))
    }

    @Test func theLast64KiBOfChangesAreKept() {
        change(1...10, nameLength: 10_000)
        #expect(revisions(after: 3) == ([], isBehind: true))
        #expect(revisions(after: 4) == (Array(5...10), isBehind: false))
        change(11...11, nameLength: 100_000)
        #expect(revisions(after: 10) == ([11], isBehind: false), "the newest is kept, whatever its size")
    }
}
