internal import MarvelDomain

/// The `grpc-timeout` header: at most eight digits and a unit (grpc/doc/PROTOCOL-HTTP2.md, "Timeout").
package enum GRPCTimeout {
    private static let maximumDigits = 8
    private static let maximumCount: Int64 = 99_999_999

    /// The nanoseconds of a header's value, in the form of `CallDeadline`. Nil if the value is malformed, negative if
    /// the caller had no time left. It is the largest number, which is no limit, if the time is beyond the clock's
    /// range.
    package static func nanoseconds(_ text: String) -> Int64? {
        guard let unit = text.utf8.last, let factor = nanoseconds(perUnit: unit) else { return nil }
        let digits = text.utf8.dropLast()
        guard (1...maximumDigits).contains(digits.count) else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        guard number > 0 else { return -1 }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }

    private static func nanoseconds(perUnit unit: UInt8) -> Int64? {
        switch unit {
        case UInt8(ascii: "H"): 3_600_000_000_000
        case UInt8(ascii: "M"): 60_000_000_000
        case UInt8(ascii: "S"): 1_000_000_000
        case UInt8(ascii: "m"): 1_000_000
        case UInt8(ascii: "u"): 1_000
        case UInt8(ascii: "n"): 1
        default: nil
        }
    }
}

/// The `Connect-Timeout-Ms` header: at most ten digits (connectrpc.com/docs/protocol, "Timeout").
package enum ConnectTimeout {
    private static let maximumDigits = 10

    /// The nanoseconds of a header's value, in the form of `CallDeadline`. Nil if the value is malformed, negative if
    /// the caller had no time left.
    package static func nanoseconds(_ text: String) -> Int64? {
        guard (1...maximumDigits).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit),
            let milliseconds = Int64(text)
        else { return nil }
        return milliseconds == 0 ? -1 : milliseconds * 1_000_000
    }
}
