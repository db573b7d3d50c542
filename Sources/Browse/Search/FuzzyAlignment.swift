internal import MarvelDomain

/// The best alignment of a mistyped text inside another text: the one with the fewest mistakes.
struct FuzzyAlignment {
    /// The places in the other text with a correctly typed letter.
    private(set) var equalPlaces: [Range<Int>] = []

    init(of typed: [Unicode.Scalar], in text: [Unicode.Scalar]) {
        let (typed, text) = (typed.map(\.value), text.map(\.value))
        var mistakes = EditDistances(of: typed)
        mistakes.compare(to: text, isAnchored: false)
        guard var column = (0...text.count).min(by: { mistakes[typed.count, $0] < mistakes[typed.count, $1] }) else {
            return
        }
        var row = typed.count
        while row > 0, column > 0 {
            let isEqual = typed[row - 1] == text[column - 1]
            let count = mistakes[row, column]
            if count == mistakes[row - 1, column - 1] + (isEqual ? 0 : 1) {
                if isEqual { equalPlaces.append(column - 1..<column) }
                (row, column) = (row - 1, column - 1)
            } else if row > 1, column > 1, EditDistances.isSwap(typed, text, row, column),
                count == mistakes[row - 2, column - 2] + 1
            {
                (row, column) = (row - 2, column - 2)
            } else if count == mistakes[row - 1, column] + 1 {
                row -= 1
            } else {
                column -= 1
            }
        }
        equalPlaces.reverse()
    }
}
