import MarvelDomain
import Testing

@Suite struct EditDistancesTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "ab", 2), ("serve", "serve", 0), ("sreve", "serve", 1), ("srve", "serve", 1),
        ("servee", "serve", 1), ("sarve", "serve", 1), ("ca", "abc", 3), ("export", "import", 2),
    ])
    func aMistakeIsALetterOrTwoSwapped(_ typed: String, _ text: String, _ distance: Int) {
        let (typed, text) = (typed.unicodeScalars.map(\.value), text.unicodeScalars.map(\.value))
        var distances = EditDistances(of: typed)
        let isNear = distances.compare(to: text, atMost: distance)
        #expect(isNear)
        #expect(distances[typed.count, text.count] == distance)
    }

    /// Memory of a longer text before must not be read.
    @Test func textsAreComparedOneAfterAnother() {
        let typed = "spider".unicodeScalars.map(\.value)
        var distances = EditDistances(of: typed)
        for (text, distance) in [("spidermanspiderman", 0), ("spidre", 1), ("", 6), ("spi", 3)] {
            let text = text.unicodeScalars.map(\.value)
            distances.compare(to: text)
            #expect((0...text.count).map { distances[typed.count, $0] }.min() == distance)
        }
        let isNear = distances.compare(to: "hulk".unicodeScalars.map(\.value), atMost: 2)
        #expect(!isNear)
    }

    /// A comparison with a maximum computes fewer distances.
    @Test(arguments: 0...2) func aMaximumChangesNoDistanceUpToIt(_ maximum: Int) {
        var numbers = SplitMix64(seed: 5)
        func letters() -> [UInt32] { (0..<numbers.next() % 9).map { _ in UInt32(numbers.next() % 3) } }
        for _ in 0..<5_000 {
            let (typed, text) = (letters(), letters())
            var (all, near) = (EditDistances(of: typed), EditDistances(of: typed))
            all.compare(to: text)
            let isNear = near.compare(to: text, atMost: maximum)
            for count in 0...text.count where abs(typed.count - count) <= maximum {
                let distance = all[typed.count, count]
                if distance <= maximum {
                    #expect(isNear && near[typed.count, count] == distance, "\(typed) \(text)")
                } else if isNear {
                    #expect(near[typed.count, count] > maximum, "\(typed) \(text)")
                }
            }
        }
    }
}
