import MarvelDomain
import Testing

@testable import MarvelService

@Suite struct RecentChangesTests {
    private static func change(_ revision: Int64, nameLength: Int = 1) -> EncodedChange {
        let character = MarvelCharacter(id: revision, name: String(repeating: "x", count: nameLength))
        let saved = Favorite(character: character, savedAt: Timestamp(seconds: 1))
        return EncodedChange(
            FavoritesChange(revision: revision, saved: saved),
            attribution: "",
            place: FavoritesPlace("")
        )
    }

    private func revisions(_ recent: RecentChanges, after revision: Int64) -> [Int64]? {
        recent.changes(after: revision)?.map(\.change.revision)
    }

    @Test func theLastOnesAreKept() {
        var recent = RecentChanges(maximumCount: 3)
        #expect(revisions(recent, after: 7) == [])
        for revision in 5...9 as ClosedRange<Int64> { recent.append(Self.change(revision)) }
        #expect(recent.revision == 9)
        #expect(revisions(recent, after: 5) == nil)
        #expect(revisions(recent, after: 6) == [7, 8, 9])
        #expect(revisions(recent, after: 8) == [9])
        #expect(revisions(recent, after: 9) == [])
        #expect(revisions(recent, after: .max) == [])
    }

    @Test func theirBytesAreBoundedToo() {
        var recent = RecentChanges(maximumCount: 256, maximumBytes: 2500)
        for revision in 1...10 as ClosedRange<Int64> { recent.append(Self.change(revision, nameLength: 1000)) }
        #expect(revisions(recent, after: 7) == nil)
        #expect(revisions(recent, after: 8) == [9, 10])
    }

    @Test func theNewestStaysWhateverItsSize() {
        var recent = RecentChanges(maximumCount: 256, maximumBytes: 100)
        recent.append(Self.change(1))
        recent.append(Self.change(2, nameLength: 1000))
        #expect(revisions(recent, after: 1) == [2])
        recent.append(Self.change(3))
        #expect(revisions(recent, after: 2) == [3])
    }

    @Test func aGapStartsOver() {
        var recent = RecentChanges()
        for revision in [1, 2, 5] as [Int64] { recent.append(Self.change(revision)) }
        #expect(revisions(recent, after: 2) == nil)
        #expect(revisions(recent, after: 4) == [5])
    }
}
