internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// Stores that are not the ones that were served before, and the new history that each gets.
@Suite(.temporaryFolder) struct RenewalTests {
    private static let period: Int64 = 1 << 32

    /// The story that this is all about: a watcher at revision 8 must not be told of changes 9 and 10 of another history.
    @Test(arguments: [false, true]) func aCopyThatWasPutBackByHandBeginsANewHistory(keepsWitness: Bool) async throws {
        let (copy, history) = try await makeStoreAndCopy()
        if !keepsWitness { try FileManager.default.removeItem(atPath: path + ".witness") }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: copy, toPath: path)

        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.renewal == .copy)
        #expect(store.openingReport.problems == [], "the disk did not lose the changes after the copy")
        #expect(store.history != history)
        #expect(try await store.ids() == [1, 2, 3, 4, 5])
        #expect(try await store.favorites(.default).revision == Self.period)
        let repeated = Toggle(list: .default, characterID: 4, request: RequestKey(RequestID("r-4")))
        let place = FavoritesPlace(list: .default, history: history, revision: 4)
        let kept = ToggleResult(isFavorite: true, revision: 4, place: place)
        #expect(try await store.toggle(repeated, character: nil) == .done(kept))
        for revision: Int64 in [0, 5, 8] {
            let changes = try await store.changes(of: .default, after: revision, limit: 10)
            #expect(changes == .compacted(oldest: Self.period))
        }
        #expect(try await store.favorites(list("never")).revision == Self.period)
        #expect(try await store.toggle(9, on: list("never")).revision == Self.period + 1)
        #expect(try await store.toggle(9).revision == Self.period + 1)
        await store.close()

        let again = try SQLiteFavoritesStore(path: path)
        #expect(again.openingReport.renewal == nil, "it was said once")
        #expect(again.openingReport.problems == [])
        #expect(again.openingReport.changeCount == 2)
        #expect(again.history == store.history)
        await again.close()
        #expect(try StoreCheck.check(path).problems == [])
    }

    /// A place begins with the history, and is given to commands as the value of an option.
    @Test func noPlaceBeginsWithAHyphen() throws {
        let store = try SQLiteFavoritesStore.temporary()
        for _ in 0..<20 {
            try store.database.sync { db in
                #expect(try StoreHistory.read(db).id.value >= 0)
                try StoreHistory.renew(in: db)
            }
        }
        let histories = try (0..<20).map { _ in try SQLiteFavoritesStore.temporary().history.value }
        #expect(histories.allSatisfy { $0 >= 0 })
    }

    /// A history after the second begins above all that the second had, though the copy knows only the first.
    @Test func aCopyThatIsPutBackTwiceNeverMeetsItsOwnRevisions() async throws {
        let (copy, _) = try await makeStoreAndCopy()
        let bytes = try Data(contentsOf: URL(filePath: copy))
        for round: Int64 in 1...3 {
            try bytes.write(to: URL(filePath: path))
            let store = try SQLiteFavoritesStore(path: path)
            #expect(try await store.favorites(.default).revision == round * Self.period)
            try await store.toggle(9)
            await store.close()
        }
    }

    /// It has the beginning of one line and the end of another, and so proves nothing.
    @Test func aWitnessThatIsHalfWrittenCountsAsLost() async throws {
        let (_, history) = try await makeStoreAndCopy()
        let witness = URL(filePath: path + ".witness")
        let line = try String(contentsOf: witness, encoding: .utf8)
        let numbers = line.split(separator: " ")
        let torn = line.replacingOccurrences(of: "history \(numbers[7])", with: "history 616")
        #expect(torn != line)
        try Data(torn.utf8).write(to: witness)
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.history != history)
        #expect(store.openingReport.renewal == .loss)
        await store.close()
    }

    @Test func anotherStoreInTheSamePlaceBeginsAboveWhatWasServedThere() async throws {
        _ = try await makeStoreAndCopy()
        let other = try SQLiteFavoritesStore(path: "\(folder)/other.db")
        try await other.toggle(1)
        await other.close()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: "\(folder)/other.db", toPath: path)
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.renewal == .replacement)
        #expect(store.openingReport.problems == [])
        #expect(try await store.favorites(.default).revision == Self.period)
        await store.close()
    }

    @Test(
        arguments: [
            (0, 1 << 32), (1, 1 << 32), ((1 << 32) - 1, 1 << 32), (1 << 32, 2 << 32),
            ((1 << 62) - (2 << 32), (1 << 62) - (1 << 32)),
            ((1 << 62) - 1, nil), (.max, nil),
        ] as [(Int64, Int64?)]
    )
    func aHistoryBeginsAtTheNextMultiple(after revision: Int64, base: Int64?) {
        #expect(StoreHistory.nextBase(after: revision) == base)
    }
}
