import RPCCore
import Testing

struct BackoffTests {
    static let backoff = Backoff(minimum: .milliseconds(10), initial: .milliseconds(100), maximum: .seconds(1))

    @Test(arguments: [
        // failures, the longest wait in ms
        (1, 100), (2, 200), (3, 400), (4, 800), (5, 1_000), (6, 1_000), (1_000_000, 1_000),
    ])
    func theBoundDoublesUpToTheMaximum(_ failures: Int, _ milliseconds: Int) {
        let longest = Self.backoff.delay(afterFailures: failures, random: 1)
        #expect(longest == .milliseconds(milliseconds))
    }

    @Test(arguments: [1, 2, 5, 50])
    func chanceMakesItAnyTimeFromTheMinimumOn(_ failures: Int) {
        let shortest = Self.backoff.delay(afterFailures: failures, random: 0)
        #expect(shortest == .milliseconds(10))
        let middle = Self.backoff.delay(afterFailures: 1, random: 0.5)
        #expect(middle == .milliseconds(55))
    }
}
