import MarvelDomain
import Testing
import TrialChecks

@Suite struct WatchCheckTests {
    private static let first = WatchCheck.Sight.change(Sample.saved(2, at: 11))
    private static let second = WatchCheck.Sight.change(Sample.saved(3, evicting: [1], at: 12))
    private static let third = WatchCheck.Sight.change(Sample.removed(2, at: 13))
    private static let snapshot = WatchCheck.Sight.snapshot(Sample.list([2, 3], at: 12))

    private func violations(_ sights: [WatchCheck.Sight]) throws -> [Violation] {
        let check = try Sample.check()
        return WatchCheck(base: check.base, log: check.log, sights: sights).violations()
    }

    @Test(arguments: [
        [first, second, third], [first, .progress(11), second, third, .progress(13)], [snapshot, third],
        [first, snapshot, third], [first, second, snapshot, third],
    ])
    func changesInOrderAndExpectedSnapshotsPass(_ sights: [WatchCheck.Sight]) throws {
        #expect(try violations(sights) == [])
    }

    @Test(arguments: [
        ([first, third], Violation.watchGap(after: 11, found: 13)),
        ([first, first, second, third], .watchGap(after: 11, found: 11)),
        ([second, first, third], .watchGap(after: 10, found: 12)),
        ([first, second, third, snapshot], .watchGap(after: 13, found: 12)),
        ([first, .progress(12), second, third], .watchGap(after: 11, found: 12)),
        ([first, second, .progress(11), third], .watchGap(after: 12, found: 11)),
        ([first, second], .watchEnded(at: 12, of: 13)),
        ([], .watchEnded(at: 10, of: 13)),
        ([.change(Sample.saved(4, at: 11)), second, third], .watchedOther(11)),
        ([.snapshot(Sample.list([3, 2], at: 12)), third], .watchedOther(12)),
        ([first, second, third, .change(Sample.saved(4, at: 14))], .watchedOther(14)),
    ])
    func eachFaultIsFound(_ sights: [WatchCheck.Sight], _ expected: Violation) throws {
        let violations = try violations(sights)
        #expect(violations.contains(expected), "found: \(violations)")
    }
}
