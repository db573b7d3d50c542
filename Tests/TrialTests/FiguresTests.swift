import Testing
import TrialChecks

@Suite struct FiguresTests {
    private static let size = Metric("memory", unit: "B", bar: Metric.Bar(factor: 1.05, slack: 10))

    private static func figures(_ tenths: [Double], of metric: Metric) -> Figures {
        var figures = Figures()
        for (tenth, value) in tenths.enumerated() { figures.add(value, to: metric, in: tenth) }
        return figures
    }

    @Test(arguments: [
        (last: 1_000.0, isFlat: true), (1_060, true), (1_061, false), (500, true), (2_000, false),
    ])
    func theLastTenthIsComparedWithTheFirst(_ last: Double, _ isFlat: Bool) {
        let between = Array(repeating: 5_000.0, count: 8)
        let figures = Self.figures([1_000] + between + [last], of: Self.size)
        #expect(figures.failures(isComplete: true).isEmpty == isFlat)
    }

    @Test func aMetricWithoutAFirstOrALastTenthFails() {
        #expect(Self.figures(Array(repeating: 1, count: 9), of: Self.size).failures(isComplete: true).count == 1)
        var late = Figures()
        late.add(1, to: Self.size, in: 9)
        #expect(late.failures(isComplete: true).count == 1)
    }

    @Test func aShortRunIsJudgedByTheTenthsThatItHas() {
        var figures = Figures()
        #expect(figures.failures(isComplete: false).isEmpty)
        figures.add(100, to: Self.size, in: 3)
        #expect(figures.failures(isComplete: false).isEmpty)
        figures.add(200, to: Self.size, in: 5)
        #expect(figures.failures(isComplete: false).count == 1)
    }
}
