import MarvelDomain
import Testing

@Suite struct CombiningMarksTests {
    @Test func atMostThirtyMarksInARowAreShort() {
        let run = String(repeating: "\u{316}\u{301}", count: 15)
        for text in ["", "Spider-Man", run, "m" + run, run + "m" + run, "한" + run + "é"] {
            #expect(text.hasShortMarkRuns)
        }
        for text in [run + "\u{301}", run + "m" + run + "\u{301}m", run + "\u{F73}"] {
            #expect(!text.hasShortMarkRuns)
        }
    }

    /// Any mark that canonical ordering moves is counted, and no other code point.
    @Test func everyMarkIsCounted() {
        for scalar in (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init) {
            let first = scalar.properties.canonicalCombiningClass
            let isMark = first != .notReordered || [0xF73, 0xF75, 0xF81].contains(scalar.value)
            guard isMark || scalar.value.isMultiple(of: 97) else { continue }
            let run = String(repeating: String(scalar), count: 31)
            #expect(run.hasShortMarkRuns != isMark, "\(scalar.value)")
        }
    }
}
