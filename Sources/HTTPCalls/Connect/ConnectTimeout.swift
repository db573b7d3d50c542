/// The `Connect-Timeout-Ms` header: at most ten digits (connectrpc.com/docs/protocol, "Timeout").
package enum ConnectTimeout {
    private static let maximumDigits = 10

    /// Returns the nanoseconds that a header's value stands for, in the form that `CallDeadline` takes.
    ///
    /// - Returns: Nil if the value is malformed; a negative number if the caller had no time left.
    package static func nanoseconds(_ text: String) -> Int64? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...maximumDigits).contains(text.utf8.count), text.utf8.allSatisfy(digits.contains),
            let milliseconds = Int64(text)
        else { return nil }
        return milliseconds == 0 ? -1 : milliseconds * 1_000_000
    }
}
