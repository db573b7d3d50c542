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

    /// Whether a JSON document, which need not be valid, has at most `maximumRun` marks in a row, also as escapes.
    package static func areInShortRuns(inJSON document: [UInt8]) -> Bool {
        guard document.contains(where: { $0 >= firstByte || $0 == UInt8(ascii: "\\") }) else { return true }
        var scalars = String(decoding: document, as: UTF8.self).unicodeScalars.makeIterator()
        var (run, highHalf) = (0, UInt32?.none)
        while let scalar = scalars.next() {
            var code: UInt32? = scalar.value
            if scalar == "\\" {
                code = scalars.next() == "u" ? (0..<4).reduce(0) { code, _ in code << 4 | digit(scalars.next()) } : nil
            }
            if let half = code, (0xD800...0xDBFF).contains(half) {
                highHalf = half
                continue
            }
            if let half = code, let high = highHalf, (0xDC00...0xDFFF).contains(half) {
                code = 0x10000 + (high - 0xD800) << 10 + (half - 0xDC00)
            } else if highHalf != nil {
                // Half of a pair alone is no mark.
                run = 0
            }
            highHalf = nil
            run = code.flatMap(Unicode.Scalar.init).map(contains) == true ? run + 1 : 0
            if run > maximumRun { return false }
        }
        return true
    }

    private static func digit(_ scalar: Unicode.Scalar?) -> UInt32 {
        scalar.flatMap { Character($0).hexDigitValue }.map { UInt32($0) } ?? 0
    }

    fileprivate static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: false
        // Their class is 0, but they decompose into marks.
        case 0xF73, 0xF75, 0xF81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
