extension StringProtocol {
    /// Whether the text has at most `CombiningMarks.maximumRun` combining marks in a row.
    ///
    /// Swift compares and hashes a text in quadratic time of each such run. So text from callers is checked before it
    /// is compared.
    package var hasShortMarkRuns: Bool {
        guard utf8.contains(where: { $0 >= CombiningMarks.firstByte }) else { return true }
        var run = 0
        return unicodeScalars.allSatisfy { scalar in
            run = CombiningMarks.contains(scalar) ? run + 1 : 0
            return run <= CombiningMarks.maximumRun
        }
    }
}

/// The code points that canonical ordering moves.
package enum CombiningMarks {
    /// The limit of Unicode's Stream-Safe Text Format (UAX #15, section 13).
    package static let maximumRun = 30

    /// The first byte of U+0300, the lowest of the marks.
    package static let firstByte: UInt8 = 0xCC

    fileprivate static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: false
        // Their class is 0, but they decompose into marks.
        case 0xF73, 0xF75, 0xF81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
