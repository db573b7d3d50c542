internal import MarvelDomain

enum Suggestion {
    /// Otherwise the most similar word, if at most a third of its letters differ.
    static func closest(to text: String, among words: [String]) -> String? {
        let text = text.lowercased()
        if text.count >= 2, let longer = words.first(where: { $0.hasPrefix(text) }) { return longer }
        let distances = words.map { (word: $0, distance: distance(text, $0)) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return nearest.distance <= max(nearest.word.count / 3, 1) ? nearest.word : nil
    }

    /// Letters to insert, remove, replace, or swap.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (left.unicodeScalars.map(\.value), right.unicodeScalars.map(\.value))
        var distances = EditDistances(of: left)
        distances.compare(to: right)
        return distances[left.count, right.count]
    }
}
