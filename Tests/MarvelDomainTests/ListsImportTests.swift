import MarvelDomain
import StoreContract
import Synchronization
import Testing

/// A store that notes how many lists are replaced at once.
private final class SlowTarget: ListTarget {
    struct Notes {
        var running: [ListName] = []
        var mostAtOnce = 0
        var hasDoubled = false
        /// The owners, in the order in which the replacements ended.
        var owners: [ListName: [String?]] = [:]
    }

    private let state = Mutex(Notes())
    private let pause: Duration

    init(pause: Duration) { self.pause = pause }

    var notes: Notes { state.withLock(\.self) }

    func replace(_ line: ListLine) async throws(StoreError) -> Bool {
        state.withLock { notes in
            notes.hasDoubled = notes.hasDoubled || notes.running.contains(line.name)
            notes.running.append(line.name)
            notes.mostAtOnce = max(notes.mostAtOnce, notes.running.count)
        }
        // All that may run meanwhile does.
        for _ in 0..<100 { await Task.yield() }
        try? await Task.sleep(for: pause)
        state.withLock { notes in
            notes.running.removeAll { $0 == line.name }
            notes.owners[line.name, default: []].append(line.owner?.name)
        }
        return true
    }
}

private struct FullTarget: ListTarget {
    func replace(_ line: ListLine) async throws(StoreError) -> Bool {
        guard line.name.text != "full" else { throw .notWritable("the disk is full") }
        return true
    }
}

@Suite struct ListsImportTests {
    private func run(
        _ lines: [String],
        pause: Duration = .zero
    ) async throws -> (SlowTarget.Notes, ListsImport.Report) {
        let target = SlowTarget(pause: pause)
        var pieces = lines.map { Array("\($0)\n".utf8) }[...]
        let report = try await ListsImport.run(
            into: target,
            edits: MemoryEditStore()
        ) { pieces.popFirst() ?? [] }
        return (target.notes, report)
    }

    private func line(_ name: String, owner: String = "anna") -> String {
        #"{"favorites":[],"list":"\#(name)","owner":"\#(owner)"}"#
    }

    @Test func theLaterOfTwoLinesOfAListHolds() async throws {
        let (notes, report) = try await run(
            [line("a", owner: "first"), line("b"), line("a", owner: "second"), line("a", owner: "third")]
        )
        #expect(!notes.hasDoubled)
        #expect(notes.owners[try #require(ListName("a"))] == ["first", "second", "third"])
        #expect(report.changedCount == 4)
    }

    @Test func aLimitedNumberOfListsIsWrittenAtOnce() async throws {
        let (notes, report) = try await run((0..<600).map { line("list-\($0)") })
        #expect((2...256).contains(notes.mostAtOnce), "\(notes.mostAtOnce)")
        #expect(report.changedCount == 600)
    }

    /// A full disk may admit some of the lists that are written at once.
    @Test func aFailureCountsTheListsThatWereWritten() async throws {
        var pieces = ["a", "full", "b"].map { Array("\(line($0))\n".utf8) }[...]
        let failure = await #expect(throws: ListsImport.Failure.self) {
            try await ListsImport.run(into: FullTarget(), edits: MemoryEditStore()) { pieces.popFirst() ?? [] }
        }
        #expect(failure?.report.changedCount == 2)
        #expect(failure?.description == "the store cannot be written: the disk is full")
    }

    @Test func longLinesAreWrittenEarlier() async throws {
        let space = String(repeating: " ", count: 1 << 20)
        let (notes, _) = try await run((0..<10).map { space + line("list-\($0)") }, pause: .seconds(2))
        #expect(notes.mostAtOnce <= 4, "\(notes.mostAtOnce)")
    }
}
