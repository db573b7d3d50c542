import MarvelDomain
import Testing

/// Which answers a store may delete, by what its process has seen of them.
@Suite struct AnswerExpiryTests {
    /// The times in seconds, each with the newest answer and the last one that may be deleted then.
    @Test(
        arguments: [
            // A store that was full when it was opened.
            (10, [(0, 1_000, 0), (60, 1_005, 0), (119, 1_010, 0), (120, 1_012, 1_000), (180, 1_020, 1_005)]),
            // The maximum is kept, however old.
            (10, [(0, 5, -5), (1_000_000_000, 5, -5), (1_000_000_001, 11, 1), (1_000_000_200, 30, 5)]),
            // A quiet store: what was written first after a long time is not old.
            (10, [(0, 100, 0), (100_000, 200, 100), (100_060, 210, 100), (100_119, 220, 100), (100_120, 230, 200)]),
            // An answer may stay for 15 seconds longer.
            (0, [(0, 1, 0), (1, 2, 0), (14, 3, 0), (15, 4, 0), (120, 5, 1), (134, 6, 1), (135, 7, 4), (254, 8, 5)]),
            // Nothing may be deleted of a table that was emptied.
            (10, [(0, 100, 0), (200, 0, -10), (400, 0, -10)]),
            (0, [(0, 100, 0), (200, 100, 100), (201, 0, 0), (202, .min, 0)]),
            // The numbers start over, in another database.
            (10, [(0, 100, 0), (200, 100, 90), (201, 0, 0), (202, 50, 0)]),
        ] as [(Int64, [(Int64, Int64, Int64)])]
    )
    func theNewestAnswersAndThoseOfTwoMinutesAreKept(_ maximum: Int64, _ steps: [(Int64, Int64, Int64)]) {
        var expiry = AnswerExpiry(maximumCount: maximum)
        let start = ContinuousClock.now
        for (seconds, newest, expired) in steps {
            let actual = expiry.lastExpired(newest: newest, at: start + .seconds(seconds))
            #expect(actual == expired || max(actual, expired) <= 0, "at \(seconds) s")
        }
    }

    /// With 10,000 answers a second, 1,350,000 are kept at most: those of 135 seconds.
    @Test func theNumberOfAnswersIsBoundedByTheRate() {
        var expiry = AnswerExpiry(maximumCount: 1_000)
        let start = ContinuousClock.now
        for step in 0..<3_000 as Range<Int64> {
            let newest = step * 1_000
            let expired = expiry.lastExpired(newest: newest, at: start + .milliseconds(100 * step))
            guard step > 1_350 else { continue }
            #expect((1_200_000...1_350_000).contains(newest - expired))
        }
    }
}
