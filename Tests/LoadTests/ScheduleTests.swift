import Testing

@testable import Load

private let ms: Nanoseconds = 1_000_000

struct ScheduleTests {
    private static let line = Schedule.line(from: 0, to: 100, over: .seconds(10))

    @Test(arguments: [
        (Schedule.constant(100), 0, 0), (.constant(100), 1, 10 * ms), (.constant(100), 1_000, 10_000 * ms),
        (.constant(0.5), 3, 6_000 * ms),
        // 10 t² / 2 calls after t seconds.
        (line, 0, 0), (line, 5, 1_000 * ms), (line, 20, 2_000 * ms), (line, 500, 10_000 * ms), (line, 600, 11_000 * ms),
        (.line(from: 100, to: 50, over: .seconds(10)), 750, 10_000 * ms),
    ])
    func aCallIsDueAtItsTime(_ schedule: Schedule, _ number: Int, _ due: Nanoseconds) {
        // Computed in floating point: a nanosecond more or less.
        #expect(abs(schedule.due(number) - due) <= 2)
    }

    @Test(arguments: [Schedule.constant(1), .constant(1e-12), line, .line(from: 5, to: 1e-9, over: .seconds(1))])
    func noNumberIsTooLarge(_ schedule: Schedule) {
        #expect(schedule.due(.max) >= schedule.due(1_000))
        #expect(Schedule.constant(1e-12).due(.max) == .max)
    }

    @Test(arguments: [Schedule.constant(12_345.6), line, .line(from: 900, to: 3, over: .seconds(2))])
    func laterCallsAreNeverDueEarlier(_ schedule: Schedule) {
        let times = (0..<5_000).map(schedule.due)
        #expect(times == times.sorted())
    }

    @Test(arguments: [
        (Schedule.constant(7), 3.0, 7.0),
        (line, 0, 0), (line, 5, 50), (line, 10, 100), (line, 99, 100),
    ])
    func theRateIsReported(_ schedule: Schedule, _ seconds: Double, _ rate: Double) {
        #expect(abs(schedule.rate(at: .seconds(seconds)) - rate) < 1e-9)
    }
}

struct ShareTests {
    @Test(arguments: [(1, 1), (1, 5), (2, 2), (2, 5), (3, 7), (4, 16), (7, 5_000)])
    func sharesAreAllCallsAndNoneTwice(_ workers: Int, _ connections: Int) {
        let shares = (0..<workers).map { WorkerShare(worker: $0, of: workers, connections: connections) }
        #expect(shares.reduce(0) { $0 + $1.ownConnections } == connections)
        let rounds = 3
        let numbers = shares.flatMap { share in (0..<share.ownConnections * rounds).map(share.overallNumber) }
        #expect(numbers.sorted() == Array(0..<connections * rounds))
    }

    @Test func callsAreDealtAsConnectionsAre() {
        let share = WorkerShare(worker: 1, of: 2, connections: 5)
        #expect((0..<6).map(share.overallNumber) == [1, 3, 6, 8, 11, 13])
    }
}

struct PacerTests {
    private typealias Row = (elapsed: Nanoseconds, sent: Int, decision: Pacer.Decision)

    @Test(
        arguments: [
            (0, 0, .start(due: 0)), (0, 1, .wait(until: 10 * ms)), (10 * ms, 1, .start(due: 10 * ms)),
            // Late: the call is due when it was due, not now.
            (500 * ms, 1, .start(due: 10 * ms)), (500 * ms, 50, .start(due: 500 * ms)),
            (500 * ms, 51, .wait(until: 510 * ms)),
            // One second at 100 calls a second is 100 calls, however late it is.
            (999 * ms, 99, .start(due: 990 * ms)), (5_000 * ms, 99, .start(due: 990 * ms)),
            (999 * ms, 100, .finished), (.max, 100, .finished), (0, .max / 2, .finished), (.min, 0, .wait(until: 0)),
        ] as [Row]
    )
    func decidesByTimeAndNumberAlone(_ row: (Nanoseconds, Int, Pacer.Decision)) {
        let pacer = Pacer(schedule: .constant(100), limit: RunLimit(time: .seconds(1)))
        #expect(pacer.decide(elapsed: row.0, sent: row.1) == row.2)
    }

    @Test func aTotalEndsTheRun() {
        let pacer = Pacer(schedule: .constant(100), limit: RunLimit(calls: 3))
        #expect(pacer.decide(elapsed: .max, sent: 2) == .start(due: 20 * ms))
        #expect(pacer.decide(elapsed: .max, sent: 3) == .finished)
    }

    @Test func workersShareOneSchedule() {
        let limit = RunLimit(time: .seconds(1))
        let dues = (0..<3).flatMap { worker -> [Nanoseconds] in
            let pacer = Pacer(
                schedule: .constant(100),
                share: WorkerShare(worker: worker, of: 3, connections: 7),
                limit: limit
            )
            var dues: [Nanoseconds] = []
            while case .start(let due) = pacer.decide(elapsed: .max, sent: dues.count) { dues.append(due) }
            return dues
        }
        #expect(dues.sorted() == (0..<100).map { Schedule.constant(100).due($0) })
    }

    @Test(arguments: [
        (0, 0, 1), (0, 1, 0), (495 * ms, 50, 0), (495 * ms, 20, 30), (995 * ms, 0, 100), (.max, 0, 100), (.max, 100, 0),
    ])
    func tellsHowManyAreBehind(_ elapsed: Nanoseconds, _ sent: Int, _ behind: Int) {
        let pacer = Pacer(schedule: .constant(100), limit: RunLimit(time: .seconds(1)))
        #expect(pacer.behind(elapsed: elapsed, sent: sent) == behind)
    }

    @Test func aDurationIsClampedToTheRepresentableRange() {
        #expect(Duration.seconds(Int64.max).inNanoseconds == .max)
        #expect(Duration.milliseconds(1).inNanoseconds == ms)
        #expect(Duration.milliseconds(-1_500).inNanoseconds == -1_500 * ms)
    }
}
