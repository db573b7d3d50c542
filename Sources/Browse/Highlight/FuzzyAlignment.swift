/// The best alignment of a mistyped text inside another text: the one with the fewest wrong, missing or extra letters
/// (edit distance).
struct FuzzyAlignment {
    /// The places in the other text whose letter was typed correctly.
    private(set) var equalPlaces: [Range<Int>] = []

    init(of typed: [Unicode.Scalar], in text: [Unicode.Scalar]) {
        // mistakes[i][j]: the fewest mistakes with which the first i typed letters match a part of the text that ends
        // at place j.
        var mistakes = [Array(repeating: 0, count: text.count + 1)]
        for (row, letter) in typed.enumerated() {
            var line = [row + 1]
            for (column, other) in text.enumerated() {
                let replaced = mistakes[row][column] + (letter == other ? 0 : 1)
                line.append(min(replaced, mistakes[row][column + 1] + 1, line[column] + 1))
            }
            mistakes.append(line)
        }
        guard let end = mistakes[typed.count].indices.min(by: { mistakes[typed.count][$0] < mistakes[typed.count][$1] })
        else { return }
        var (row, column) = (typed.count, end)
        while row > 0, column > 0 {
            let isEqual = typed[row - 1] == text[column - 1]
            if mistakes[row][column] == mistakes[row - 1][column - 1] + (isEqual ? 0 : 1) {
                if isEqual { equalPlaces.append(column - 1..<column) }
                row -= 1
                column -= 1
            } else if mistakes[row][column] == mistakes[row - 1][column] + 1 {
                row -= 1
            } else {
                column -= 1
            }
        }
        equalPlaces.reverse()
    }
}
