import MarvelDomain
import NIOCore
import RPCCore
import Testing

/// Times in seconds, three a minute allowed.
@Suite struct RateLimitTests {
    @Test(
        arguments: [
            ("three in a row are allowed, the fourth is not", [0, 0, 0, 0], 3),
            ("the fourth is one too many until the window ends", [0, 1, 2, 59], 3),
            ("then it is the first of the next", [0, 1, 2, 60, 61, 62, 63], 6),
            ("a window begins with an event, not with the clock", [0, 50, 100, 109, 110, 161], nil),
            ("two bursts around a border pass, the third does not", [0, 58, 59, 60, 61, 62, 63], 6),
            ("once a minute is fine for ever", [0, 60, 120, 180, 240, 300], nil),
        ] as [(String, [Int64], Int?)]
    )
    func extraRecordsAreFound(_ story: String, _ times: [Int64], _ expected: Int?) {
        var limit = RateLimit(count: 3, window: .seconds(60))
        let exceeded = times.firstIndex { limit.isExceeded(now: .seconds($0)) }
        #expect(exceeded == expected, "\(story)")
    }

    @Test func itStaysExceededWithinItsWindow() {
        var limit = RateLimit(count: 1, window: .seconds(60))
        let exceeded = [Int64](0...60).filter { limit.isExceeded(now: .seconds($0)) }
        #expect(exceeded == Array(1...59))
    }

    /// The promise that keeps a busy but well made client safe, over random times.
    @Test func aCallerWithinTheLimitInEveryWindowNeverExceedsIt() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<200 {
            var limit = RateLimit(count: 5, window: .seconds(30))
            var times: [Int64] = []
            for second in Int64(0)..<500 where Int.random(in: 0..<4, using: &random) == 0 {
                guard times.count(where: { $0 > second - 30 }) < 5 else { continue }
                times.append(second)
                let isExceeded = limit.isExceeded(now: .seconds(second))
                #expect(!isExceeded)
            }
        }
    }

    /// And what it finds at the latest.
    @Test func twiceTheLimitInOneWindowIsAlwaysFound() {
        for phase in Int64(0)..<30 {
            var limit = RateLimit(count: 5, window: .seconds(30))
            _ = limit.isExceeded(now: .start)
            let burst = (0..<11).map { _ in limit.isExceeded(now: .seconds(phase)) }
            #expect(burst.contains(true))
        }
    }
}

extension NIODeadline {
    fileprivate static let start = NIODeadline.uptimeNanoseconds(0)

    fileprivate static func seconds(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }
}
