import MarvelDomain
import Testing
import TrialChecks

@Suite struct HistoryCheckTests {
    @Test func correctHistoriesPass() throws {
        #expect(try Sample.check().violations() == [])
    }

    @Test func anEmptyHistoryPasses() {
        let list = Sample.list([1], at: 10)
        #expect(HistoryCheck(base: list, log: [], list: list, toggles: []).violations() == [])
    }

    @Test(arguments: Fault.all)
    func eachFaultIsFound(_ fault: Fault) throws {
        var check = try Sample.check()
        try fault.make(&check)
        let violations = check.violations()
        let expected = try fault.expected()
        #expect(violations.contains(expected), "found: \(violations)")
    }

    /// Two who save the same at the same time: only one of them made the change, and nobody can tell which.
    @Test func aCallWithoutAChangeMayReturnALaterRevision() throws {
        let check = HistoryCheck(
            base: Sample.list([], at: 0),
            log: [Sample.saved(1, at: 1)],
            list: Sample.list([1], at: 1),
            toggles: [
                try Sample.toggle("a", .saved, 1, from: 0, to: 1, Sample.told(true, at: 1)),
                try Sample.toggle("b", .saved, 1, from: 0, to: 1, Sample.told(true, at: 1)),
            ]
        )
        #expect(check.violations() == [])
    }
}

/// Something that a server could do wrong, and what is to be found then.
struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (inout HistoryCheck) throws -> Void
    let expected: @Sendable () throws -> Violation

    init(
        _ description: String,
        _ expected: @autoclosure @escaping @Sendable () throws -> Violation,
        _ make: @escaping @Sendable (inout HistoryCheck) throws -> Void
    ) {
        testDescription = description
        self.make = make
        self.expected = expected
    }

    static let all = log + list + answers

    private static let log = [
        Fault("a revision is missing in the log", .gap(after: 11, found: 13)) { $0.log.remove(at: 1) },
        Fault("a revision is in the log twice", .gap(after: 11, found: 11)) { $0.log.insert($0.log[0], at: 1) },
        Fault("the log does not begin behind the base", .gap(after: 9, found: 11)) { $0.base.revision = 9 },
        Fault("a change changes nothing", .notOneToggle(11)) { $0.log[0].saved = nil },
        Fault("a change saves and removes", .notOneToggle(11)) { $0.log[0].removed = Sample.favorite(1) },
        Fault("a removal evicts", .notOneToggle(13)) { $0.log[2].evicted = [Sample.favorite(3)] },
        Fault("saved twice", .impossible(11)) { $0.log[0].saved = Sample.favorite(1) },
        Fault("removed without being saved", .impossible(13)) { $0.log[2].removed = Sample.favorite(1) },
        Fault("not the oldest was evicted", .evictedOthers(12)) { $0.log[1].evicted = [Sample.favorite(2)] },
        Fault("too many were evicted", .evictedOthers(12)) { $0.log[1].evicted.append(Sample.favorite(2)) },
        Fault("one was evicted for no need", .evictedOthers(11)) { $0.log[0].evicted = [Sample.favorite(1)] },
        Fault("nothing was evicted for a save too many", .overfull(12, count: 3)) { $0.log[1].evicted = [] },
    ]

    private static let list = [
        Fault("the list lags behind its log", .otherThanLog(listed: 12, logged: 13)) { $0.list.revision = 12 },
        Fault("the list lacks a saved favorite", .otherThanLog(listed: 13, logged: 13)) { $0.list.favorites = [] },
        Fault("the list is in another order", .otherThanLog(listed: 12, logged: 12)) {
            $0.log.removeLast()
            $0.toggles.removeLast(2)
            $0.list = Sample.list([3, 2], at: 12)
        },
    ]

    private static let answers = [
        Fault("an acknowledged change was lost", .lost(try Sample.id("c"), 13)) {
            $0.log.removeLast()
            $0.list = Sample.list([2, 3], at: 12)
        },
        Fault("an acknowledged flip is another's change", .lost(try Sample.id("a"), 12)) {
            $0.toggles[0] = try Sample.toggle("a", .toggle, 2, from: 0, to: 1, Sample.told(true, at: 12))
        },
        Fault("no answer names a change", .unclaimed(11)) { $0.toggles.remove(at: 0) },
        Fault("the only answer that names a change did not make it", .unclaimed(12)) {
            $0.toggles.remove(at: 1)
        },
        Fault("one toggle was applied twice", .unclaimed(13)) {
            $0.log[2] = Sample.removed(2, at: 13)
            $0.log += [Sample.saved(2, at: 14), Sample.removed(2, at: 15)]
            $0.list.revision = 15
            $0.toggles[3] = try Sample.toggle("c", .removed, 2, from: 6, to: 20, Sample.told(false, at: 15))
            $0.toggles.append(try Sample.toggle("e", .saved, 2, from: 8, to: 9, Sample.told(true, at: 14)))
        },
        Fault("two made one change", .claimedTwice(11, try Sample.id("a"), try Sample.id("e"))) {
            $0.toggles.append(try Sample.toggle("e", .toggle, 2, from: 0, to: 1, Sample.told(true, at: 11)))
        },
        Fault("an eviction was not told", .toldOfOtherEvictions(try Sample.id("e"), 12)) {
            $0.toggles[1] = try Sample.toggle("e", .toggle, 3, from: 2, to: 5, Sample.told(true, at: 12))
        },
        Fault("an answer has a state that the list did not have", .notConfirmed(try Sample.id("d"), 13)) {
            $0.toggles[4] = try Sample.toggle("d", .removed, 3, from: 8, to: 9, Sample.told(false, at: 13))
        },
        Fault("an answer has another state than desired", .notConfirmed(try Sample.id("d"), 13)) {
            $0.toggles[4] = try Sample.toggle("d", .removed, 3, from: 8, to: 9, Sample.told(true, at: 13))
        },
        Fault("an answer has a revision that the list never had", .lost(try Sample.id("d"), 14)) {
            $0.toggles[4] = try Sample.toggle("d", .removed, 9, from: 8, to: 9, Sample.told(false, at: 14))
        },
        Fault("a repeat was answered differently", .answersDiffer(try Sample.id("a"))) {
            $0.toggles[0].repeated(Sample.told(true, at: 11))
            $0.toggles[0].repeated(Sample.told(false, at: 12))
        },
        Fault("an answer is older than one before it", .wentBack(try Sample.id("d"), from: 13, to: 10)) {
            $0.toggles[4] = try Sample.toggle("d", .removed, 9, from: 8, to: 9, Sample.told(false, at: 10))
        },
    ]
}
