/// A search for the valid word that a person may have meant by an unknown word.
package enum Suggestion {
    /// Finds the valid word that is most similar to the typed text.
    ///
    /// - Parameters:
    ///   - text: The unknown word.
    ///   - words: The valid words.
    /// - Returns: The word that begins with the text, or else the most similar word if at most a third of its letters
    ///   differ.
    package static func closest(to text: String, among words: [String]) -> String? {
        let text = text.lowercased()
        if text.count >= 2, let longer = words.first(where: { $0.hasPrefix(text) }) { return longer }
        let distances = words.map { (word: $0, distance: distance(Array(text), Array($0))) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return nearest.distance <= max(nearest.word.count / 3, 1) ? nearest.word : nil
    }

    /// Counts the letters to insert, remove, replace, or swap with their neighbor (optimal string alignment).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var rows = [Array(0...right.count)]
        for row in 0..<left.count {
            var next = [row + 1]
            for column in 0..<right.count {
                let isSame = left[row] == right[column]
                var best = min(rows[row][column + 1] + 1, next[column] + 1, rows[row][column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
