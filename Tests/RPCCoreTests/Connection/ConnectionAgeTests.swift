import NIOCore
import Testing

@testable import RPCCore

struct ConnectionAgeTests {
    private let start = NIODeadline.uptimeNanoseconds(1)

    /// Returns the actions of the first 300 seconds, with their times.
    private func actions(jitter: Double) -> [String] {
        var age = ConnectionAge(maximum: .seconds(100), grace: .seconds(25), jitter: jitter, now: start)
        return (0..<300).compactMap { (second: Int64) in
            age.check(now: start + .seconds(second)).map { "\(second) \($0)" }
        }
    }

    @Test(arguments: [
        (0, "100 drain", "125 endDrain"), (-0.1, "90 drain", "115 endDrain"), (0.1, "110 drain", "135 endDrain"),
    ])
    func aConnectionDrainsAndThenEnds(_ jitter: Double, _ drain: String, _ end: String) {
        #expect(actions(jitter: jitter) == [drain, end])
    }

    @Test func itTellsTheTimeOfTheNextCheck() {
        var age = ConnectionAge(maximum: .seconds(1), grace: .seconds(2), jitter: 0, now: start)
        #expect(age.nextCheck == start + .seconds(1))
        _ = age.check(now: start + .seconds(1))
        #expect(age.nextCheck == start + .seconds(3))
        _ = age.check(now: start + .seconds(3))
        #expect(age.nextCheck == nil)
    }
}
