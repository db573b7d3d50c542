package import MarvelDomain
// Canonical decomposition without Foundation, whose tables would be the larger part of the program.
@_spi(_Unicode) internal import Swift

/// Finds the parts of names that match a query, as the server compares them.
package struct Highlight: Sendable {
    private let match: Match
    /// The folded query; with spaces and punctuation only for `.prefix`.
    private let sought: [Unicode.Scalar]

    package init(_ query: SearchQuery, match: Match) {
        self.match = match
        sought = FoldedLetters(query.text, withPunctuation: match == .prefix).scalars
    }

    /// The ranges are in order, do not touch, and contain whole grapheme clusters.
    package func ranges(in name: String) -> [Range<String.Index>] {
        let letters = FoldedLetters(name, withPunctuation: match == .prefix)
        guard !sought.isEmpty, !letters.scalars.isEmpty else { return [] }
        return letters.ranges(of: marks(in: letters))
    }

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

/// A text in the normal form of searches: canonical decomposition, marks removed, lower case.
struct FoldedLetters {
    private(set) var scalars: [Unicode.Scalar] = []
    private(set) var wordStarts: Set<Int> = []
    private let text: String
    /// The index in `text` of each scalar's letter.
    private var origins: [String.Index] = []

    /// Without punctuation, spaces and punctuation only separate words.
    init(_ text: String, withPunctuation: Bool) {
        self.text = text
        var isBehindGap = true
        for index in text.indices {
            for scalar in FoldedLetters.folded(text[index]) {
                if withPunctuation || scalar.isLetterOfSearches {
                    if isBehindGap { wordStarts.insert(scalars.count) }
                    scalars.append(scalar)
                    origins.append(index)
                    isBehindGap = false
                } else if !scalar.joinsLetters {
                    isBehindGap = true
                }
            }
        }
    }

    func ranges(of places: [Range<Int>]) -> [Range<String.Index>] {
        var ranges: [Range<String.Index>] = []
        for place in places {
            let start = origins[place.lowerBound]
            let end = text.index(after: origins[place.upperBound - 1])
            if let last = ranges.last, last.upperBound >= start {
                ranges[ranges.count - 1] = last.lowerBound..<max(end, last.upperBound)
            } else {
                ranges.append(start..<end)
            }
        }
        return ranges
    }

    private static func folded(_ letter: Character) -> [Unicode.Scalar] {
        if letter.utf8.count == 1, let scalar = letter.unicodeScalars.first {
            return Array(scalar.properties.lowercaseMapping.unicodeScalars)
        }
        return String(letter)._nfd
            .filter { $0.properties.generalCategory != .nonspacingMark }
            .flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) }
    }
}

extension Unicode.Scalar {
    /// Whether searches compare the scalar: letters, digits and non-ASCII symbols.
    fileprivate var isLetterOfSearches: Bool {
        if isASCII { return ("a"..."z").contains(self) || ("0"..."9").contains(self) }
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control:
            return false
        default: return !joinsLetters
        }
    }

    /// Whether the scalar is skipped without separating words, such as joiners and skin tone modifiers.
    fileprivate var joinsLetters: Bool {
        guard !isASCII else { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .modifierSymbol: true
        default: false
        }
    }
}

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
