package import MarvelDomain

/// A finder of the parts of names that match a query. It compares as the server does.
package struct Highlight: Sendable {
    private let match: Match
    /// The folded query; with spaces and punctuation only for `.prefix`.
    private let sought: [Unicode.Scalar]

    package init(_ query: SearchQuery, match: Match) {
        self.match = match
        sought = FoldedLetters(query.text, withPunctuation: match == .prefix).scalars
    }

    /// Finds the parts of a name that match.
    ///
    /// - Parameter name: The name.
    /// - Returns: The ranges in order. They do not touch, and contain whole grapheme clusters.
    package func ranges(in name: String) -> [Range<String.Index>] {
        let letters = FoldedLetters(name, withPunctuation: match == .prefix)
        guard !sought.isEmpty, !letters.scalars.isEmpty else { return [] }
        return letters.ranges(of: marks(in: letters))
    }

    /// Returns the ranges of scalars that match.
    private func marks(in letters: FoldedLetters) -> [Range<Int>] {
        switch match {
        case .prefix:
            // The source's names may begin with spaces, which searches ignore.
            let start = letters.scalars.prefix(while: \.properties.isWhitespace).count
            return letters.scalars[start...].starts(with: sought) ? [start..<start + sought.count] : []
        case .wordPrefix: return exact(in: letters, atWords: true)
        case .substring: return exact(in: letters, atWords: false)
        case .fuzzy:
            let exact = exact(in: letters, atWords: false)
            return exact.isEmpty ? FuzzyAlignment(of: sought, in: letters.scalars).equalPlaces : exact
        }
    }

    private func exact(in letters: FoldedLetters, atWords: Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var place = 0
        while place + sought.count <= letters.scalars.count {
            let isCandidate = !atWords || letters.wordStarts.contains(place)
            if isCandidate, letters.scalars[place...].starts(with: sought) {
                found.append(place..<place + sought.count)
                place += sought.count
            } else {
                place += 1
            }
        }
        return found
    }
}
