import NIOCore
import RPCCore
import Testing

@Suite struct CallDeadlineTests {
    private static let now = NIODeadline.uptimeNanoseconds(5_000_000_000)

    @Test(
        arguments: [
            // 0 asks for the default.
            (0, TimeAmount.seconds(10), CallDeadline.at(.uptimeNanoseconds(15_000_000_000))),
            (0, nil, .never),
            (0, .zero, .passed),
            (0, .seconds(-1), .passed),
            (0, .seconds(Int64.max), .never),
            // Any other number overrules it.
            (1, .seconds(10), .at(.uptimeNanoseconds(5_000_000_001))),
            (1, nil, .at(.uptimeNanoseconds(5_000_000_001))),
            (60_000_000_000, .seconds(10), .at(.uptimeNanoseconds(65_000_000_000))),
            (-1, nil, .passed),
            (-1, .seconds(10), .passed),
            (Int64.min, nil, .passed),
            // The clock ends 292 years after the machine's start.
            (Int64.max - 5_000_000_000, nil, .at(.uptimeNanoseconds(UInt64(Int64.max)))),
            (Int64.max - 4_999_999_999, nil, .never),
            (Int64.max, nil, .never),
        ] as [(Int64, TimeAmount?, CallDeadline)]
    )
    func aTimeoutBecomesADeadline(_ timeout: Int64, _ defaultTimeout: TimeAmount?, _ expected: CallDeadline) {
        #expect(CallDeadline(timeoutNanoseconds: timeout, default: defaultTimeout, now: Self.now) == expected)
    }

    /// The same sum in 128 bits, over timeouts and clocks near every edge of their ranges.
    @Test func theSumIsExactOrMissing() {
        var numbers = SystemRandomNumberGenerator()
        let edges: [Int64] = [.min, .min + 1, -1, 0, 1, 2, 1_000, .max / 2, .max / 2 + 1, .max - 1, .max]
        let clocks = edges.filter { $0 >= 0 } + (0..<200).map { _ in Int64.random(in: 0...(.max), using: &numbers) }
        let timeouts = edges + (0..<200).map { _ in Int64.random(in: .min...(.max), using: &numbers) }
        for clock in clocks {
            for timeout in timeouts {
                let deadline = CallDeadline(
                    timeoutNanoseconds: timeout,
                    default: nil,
                    now: .uptimeNanoseconds(UInt64(clock))
                )
                let sum = Int128(clock) + Int128(timeout)
                switch deadline {
                case .never: #expect(timeout == 0 || sum > Int128(Int64.max), "\(clock) + \(timeout)")
                case .passed: #expect(timeout < 0, "\(clock) + \(timeout)")
                case .at(let time):
                    #expect(timeout > 0 && Int128(time.uptimeNanoseconds) == sum, "\(clock) + \(timeout)")
                }
            }
        }
    }
}
