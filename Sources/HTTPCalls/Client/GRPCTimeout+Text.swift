extension GRPCTimeout {
    /// The largest number of eight digits.
    private static let maximumCount: Int64 = 99_999_999

    /// Writes a time as the header's value. At least a nanosecond is sent, because 0 would mean that no time is left.
    ///
    /// - Parameter nanoseconds: The time.
    /// - Returns: The value: in the smallest unit whose number has at most eight digits, and not shorter than the time.
    package static func text(nanoseconds: Int64) -> String {
        let time = max(nanoseconds, 1)
        let units: [(Character, Int64)] = [
            ("n", 1), ("u", 1_000), ("m", 1_000_000), ("S", 1_000_000_000), ("M", 60_000_000_000),
        ]
        for (unit, factor) in units where (time - 1) / factor < maximumCount {
            return "\((time - 1) / factor + 1)\(unit)"
        }
        return "\((time - 1) / 3_600_000_000_000 + 1)H"
    }
}
