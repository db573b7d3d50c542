internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// Damage of a store that SQLite does not notice.
@Suite(.temporaryFolder) struct AuditTests {
    /// Each damage, and what the start says about it.
    @Test(
        arguments: [
            ("DELETE FROM changes WHERE revision BETWEEN 3 AND 4", "list default: changes 3 to 4 are missing"),
            ("DELETE FROM changes WHERE revision = 6", "list default: change 6 is missing"),
            ("DELETE FROM changes", "list default: its log is missing up to change 6"),
            (
                "UPDATE changes SET change = replace(change, 'Character', 'Caracter') WHERE revision = 2",
                "list default: change 2 does not match its checksum"
            ),
            (
                "UPDATE changes SET change = '{}' WHERE revision = 1",
                "list default: change 1 does not match its checksum"
            ),
            ("UPDATE lists SET revision = 5", "list default is at revision 5, but its log is at 6"),
            ("UPDATE lists SET digest = digest + 1", "list default: change 6 does not match the digest in its list"),
            (
                "UPDATE favorites SET saved_revision = 8 WHERE character_id = 6",
                "list default is at revision 6, but has a favorite of revision 8"
            ),
            (
                "UPDATE favorites SET saved_revision = 5 WHERE character_id = 6",
                "list default: two favorites have the same revision"
            ),
        ]
    )
    func inconsistenciesAreFound(_ damage: String, _ finding: String) async throws {
        try await makeStore(saving: 6)
        try await change(path, damage)
        let again = try SQLiteFavoritesStore(path: path)
        #expect(again.openingReport.problems.contains(finding), "\(again.openingReport.problems)")
        await again.close()
    }

    /// The store is what it was four changes ago, and SQLite finds nothing wrong with it.
    @Test func aLostEndThatTookEverythingAlongIsFound() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        for id: Int64 in 1...2 { try await store.toggle(id, request: "r-\(id)") }
        await store.close()
        let earlier = try Data(contentsOf: URL(filePath: path))

        let later = try SQLiteFavoritesStore(path: path)
        for id: Int64 in 3...5 { try await later.toggle(id, request: "r-\(id)") }
        try await later.toggle(1, on: list("other"))
        try await later.toggle(6, request: "r-6")
        await later.close()
        try earlier.write(to: URL(filePath: path))

        let again = try SQLiteFavoritesStore(path: path)
        let losses = [
            "list default is at revision 2, but changes were acknowledged up to 6: the changes after 2 are lost",
            "5 acknowledged changes are lost, of lists or of edits",
        ]
        #expect(again.openingReport.problems == losses)
        #expect(again.openingReport.losses == losses)
        #expect(again.openingReport.renewal == .loss)
        #expect(again.history != store.history)
        #expect(try await again.favorites(.default).revision == 1 << 32)
        #expect(try await again.ids() == [1, 2])
        await again.close()

        try await expectToldUntilAcknowledged(losses, path)
    }

    @Test func lostEditsAreFound() async throws {
        func edit(_ id: Int64, _ name: String) async throws {
            let store = try SQLiteFavoritesStore(path: path)
            _ = try await store.edits.write(EditOrder(.existing(id), CharacterEdit(name: name))) { _ in true }
            await store.close()
        }
        try await edit(1, "A")
        let earlier = try Data(contentsOf: URL(filePath: path))
        try await edit(2, "A")
        try await edit(1, "B")
        try earlier.write(to: URL(filePath: path))

        let again = try SQLiteFavoritesStore(path: path)
        #expect(again.openingReport.losses == ["2 acknowledged changes are lost, of lists or of edits"])
        #expect(again.openingReport.renewal == .loss)
        await again.close()
    }

    /// From now on this is the store, and what it lost is told at each start and by each check.
    private func expectToldUntilAcknowledged(_ losses: [String], _ path: String) async throws {
        for _ in 0..<2 {
            let next = try SQLiteFavoritesStore(path: path)
            try await next.toggle(7)
            await next.close()
            for report in [next.openingReport, try StoreCheck.check(path)] {
                #expect(report.losses == [])
                #expect(report.problems.count == losses.count)
                for (problem, loss) in zip(report.problems, losses) {
                    #expect(problem.hasPrefix("found 20"))
                    #expect(problem.contains(loss))
                }
            }
        }
        let acknowledging = try StoreCheck.check(path, acknowledging: true)
        #expect(acknowledging.problems == [])
        #expect(acknowledging.acknowledgedLosses.count == losses.count)
        #expect(try StoreCheck.check(path).problems == [])
        let last = try SQLiteFavoritesStore(path: path)
        #expect(last.openingReport.problems == [])
        await last.close()
    }

    /// A server has to learn of it first: those who follow a list are told by it.
    @Test func aLossThatNoServerHasFoundIsNotAcknowledged() async throws {
        try await makeStore(saving: 6)
        try Data("changes 9 last default 9 1 ".utf8).write(to: URL(filePath: path + ".witness"))
        for _ in 0..<2 { #expect(try StoreCheck.check(path, acknowledging: true).losses.count == 2) }
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.losses.count == 2)
        await store.close()
        #expect(try StoreCheck.check(path, acknowledging: true).acknowledgedLosses.count == 2)
    }

    /// The log with the newest changes went with it, and nothing else shows that they are missing.
    @Test(arguments: [0, 3]) func aStoreWithoutItsWitnessSaysSo(copiedCount: Int64) async throws {
        let lost = "\(folder)/lost.db"
        let store = try SQLiteFavoritesStore(path: path)
        for id in 0..<copiedCount { try await store.toggle(1 + id) }
        try store.database.sync { db in _ = try db.checkpoint(.truncate) }
        for id: Int64 in 11...70 { try await store.toggle(id) }
        try FileManager.default.copyItem(atPath: path, toPath: lost)
        await store.close()

        let check = try StoreCheck.check(lost)
        #expect(check.losses.count == 1)
        #expect(check.problems.first?.contains("lost.db.witness is missing") == true, "\(check.problems)")
        let again = try SQLiteFavoritesStore(path: lost)
        #expect(again.openingReport.problems == check.problems)
        #expect(again.openingReport.renewal == .loss, "revisions that were acknowledged are not given again")
        #expect(try await again.favorites(.default).revision == 1 << 32)
        try await again.toggle(1)
        await again.close()
        #expect(try StoreCheck.check(lost).problems.first?.contains("--acknowledge") == true)
        _ = try StoreCheck.check(lost, acknowledging: true)
        let last = try SQLiteFavoritesStore(path: lost)
        #expect(last.openingReport.problems == [])
        await last.close()
    }

    /// The progress is longer than in earlier versions, and losses come after it.
    @Test func aWitnessOfAnEarlierVersionIsReadAndReplaced() async throws {
        try await makeStore(saving: 6)
        let line = "changes 8 last default 8 1 ".padding(toLength: 127, withPad: ".", startingAt: 0) + "\n"
        try Data(line.utf8).write(to: URL(filePath: path + ".witness"))
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.losses.count == 2)
        let record = StoreWitness.record(of: path)
        #expect(record.progress?.changeCount == 1 << 32, "a store that lost changes begins a new history")
        #expect(record.losses.count == 2)
        try await store.toggle(7)
        await store.close()
        #expect(StoreWitness.record(of: path).losses == record.losses)
    }

    @Test func theLongestAccountIsReadAsItWasWritten() async throws {
        let progress = StoreWitness.Progress(
            changeCount: .max,
            list: try list(String(repeating: "l", count: ListName.maximumLength)),
            revision: .max,
            digest: .min
        )
        let witness = try #require(StoreWitness(store: "\(folder)/favorites.db"))
        witness.write(progress)
        #expect(StoreWitness.record(of: "\(folder)/favorites.db").progress == progress)
    }

    @Test(arguments: ["", "notes", "changes x last default 1 1", "changes 1 last ? 1 1"])
    func aWitnessThatCannotBeReadCountsAsLost(_ text: String) async throws {
        try await makeStore(saving: 6)
        try Data(text.utf8).write(to: URL(filePath: path + ".witness"))
        let again = try SQLiteFavoritesStore(path: path)
        #expect(again.openingReport.losses.count == 1)
        #expect(again.openingReport.renewal == .loss)
        await again.close()
        _ = try StoreCheck.check(path, acknowledging: true)
        #expect(try StoreCheck.check(path).problems == [])
    }

    // MARK: Numbers at the ends of their range: reported or refused, never a trap

    @Test(arguments: [
        "changes -9223372036854775808 last default 1 1 ", "changes 9223372036854775807 last default -1 1 ",
        "changes 9223372036854775807 last default 9223372036854775807 9223372036854775807 ",
        "changes 9223372036854775808 last default 1 1 ",
    ])
    func aWitnessWithAnyNumbersIsRead(_ text: String) async throws {
        try await makeStore()
        try Data(text.utf8).write(to: URL(filePath: path + ".witness"))
        _ = try StoreCheck.check(path)
        let store = try SQLiteFavoritesStore(path: path)
        try await store.toggle(4)
        await store.close()
    }

    /// Their sum is more than a number holds.
    @Test func manyListsAtHighRevisionsAreServed() async throws {
        try await makeStore()
        let rows = (1...9).map { "('list-\($0)', \((Int64(1) << 62) - 9), 0)" }.joined(separator: ", ")
        try await change(path, "INSERT INTO lists (name, revision, digest) VALUES \(rows)", sealing: true)
        _ = try StoreCheck.check(path)
        let store = try SQLiteFavoritesStore(path: path)
        try await store.toggle(1, on: try list("list-1"))
        await store.close()
    }

    @Test(arguments: [Int64.max, .min]) func aChangeAtTheEndOfTheRangeIsReported(_ revision: Int64) async throws {
        try await makeStore()
        try await change(path, "UPDATE changes SET revision = \(revision) WHERE revision = 2")
        #expect(try StoreCheck.check(path).isWhole == false)
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.isWhole == false)
        await store.close()
    }
}
