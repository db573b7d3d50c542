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

    @Test func marksOfJSONCountAlsoAsEscapes() {
        let run = String(repeating: "\u{316}\\u0301", count: 15)
        let pair = #"\ud834\udd65"#
        for text in ["{}", #"{"a":"é"}"#, run, run + #"\n"# + run, run + #"\u0061"# + run, run + #"\ud834"# + run] {
            #expect(CombiningMarks.areInShortRuns(inJSON: Array(text.utf8)), "\(text)")
        }
        for text in [run + "\u{301}", run + #"\u0301"#, run + pair, String(repeating: pair, count: 31)] {
            #expect(!CombiningMarks.areInShortRuns(inJSON: Array(text.utf8)), "\(text)")
        }
        #expect(CombiningMarks.areInShortRuns(inJSON: [0xCC, 0x5C, 0xFF, 0x5C]), "no valid text")
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
