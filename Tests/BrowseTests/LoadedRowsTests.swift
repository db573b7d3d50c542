import MarvelDomain
import Testing

@testable import Browse

@Suite
struct LoadedRowsTests {
    /// 10 to 19, 30 to 34 and 35 to 39 are here.
    private let rows: LoadedRows = {
        var rows = LoadedRows()
        for places in [30..<35, 10..<20, 35..<40] { rows.insert(places.map { .number($0) }, at: places.lowerBound) }
        return rows
    }()

    @Test(
        arguments: [
            (0..<5, 0, 4), (5..<15, 5, 9), (10..<20, nil, nil), (12..<18, nil, nil), (12..<25, 20, 24),
            (15..<35, 20, 29), (30..<40, nil, nil), (30..<41, 40, 40), (7..<7, nil, nil),
        ] as [(Range<Int>, Int?, Int?)]
    )
    func missingRecordsAreFound(places: Range<Int>, first: Int?, last: Int?) {
        #expect(rows.firstMissing(in: places) == first)
        #expect(rows.lastMissing(in: places) == last)
    }

    /// A page of 8: it fills the gap up to what is here, and reaches back as far as nothing is.
    @Test(arguments: [(0, 0), (5, 2), (9, 2), (20, 20), (28, 22), (25, 22), (50, 50), (98, 92)])
    func aPageFillsTheGapAroundARow(place: Int, start: Int) {
        #expect(rows.pageStart(around: place, pageSize: 8, total: 100) == start)
        // Nothing that is here is asked for again.
        #expect(rows.pageStart(around: 41, pageSize: 80, total: 100) == 40)
    }

    @Test func knownChangesAreNotAppliedTwice() {
        var rows = rows
        rows.insert((25..<45).map { .number($0) }, at: 25)
        #expect(rows.count == 25)
        #expect((25..<45).filter { rows[$0] != nil } == Array(25..<40))
    }

    @Test(arguments: [(0..<5, 10, 10..<20), (38..<45, 10, 30..<40), (38..<45, 7, 33..<40), (0..<5, 100, 10..<40)])
    func theFarthestIsEvictedFirst(near: Range<Int>, limit: Int, left: Range<Int>) {
        var rows = rows
        rows.drop(downTo: limit, farthestFrom: near)
        #expect(rows.count <= limit)
        #expect((0..<50).first { rows[$0] != nil } == left.lowerBound)
        #expect((0..<50).last { rows[$0] != nil } == left.upperBound - 1)
    }
}
