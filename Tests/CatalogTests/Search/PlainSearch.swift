import MarvelDomain

@testable import Catalog

/// A plain model of the searches, which looks at all letters of one name after the other.
struct PlainSearch {
    /// The spellings of the query.
    private let spellings: [QuerySpelling]

    init(_ query: String) { spellings = QuerySpelling.all(of: SearchForm(query)) }

    private init(_ spelling: QuerySpelling) { spellings = [spelling] }

    private var letters: [UInt32] { spellings[0].form.scalars }

    func matches(_ name: String, _ match: Match) -> Bool {
        let isSpelled = match == .fuzzy || match == .wordPrefix
        if isSpelled, spellings.count > 1 {
            return spellings.contains { PlainSearch($0).matches(name, match) }
        }
        let name = PlainName(name)
        guard !letters.isEmpty else { return false }
        switch match {
        case .prefix: return false
        case .wordPrefix: return name.words.contains { name.letters[$0...].starts(with: letters) }
        case .substring:
            return name.letters.indices.contains { name.letters[$0...].starts(with: letters) }
        case .fuzzy: return rank(of: name) != nil
        }
    }

    /// The order of a name among the results: the least of all runs of letters that begin where a word does. The mistakes
    /// come first, then whether words of the query were left out, then the place in the name.
    func rank(of name: String) -> [Int]? {
        spellings.compactMap { PlainSearch($0).rank(of: PlainName(name)) }.min { $0.lexicographicallyPrecedes($1) }
    }

    /// Whether what was typed is the name.
    func isWholeName(_ name: String, _ match: Match) -> Bool {
        spellings.prefix(match == .substring ? 1 : .max).map(\.form.scalars).contains(PlainName(name).letters)
    }

    private func rank(of name: PlainName) -> [Int]? {
        let ranks = name.words.flatMap { start in
            PlainSearch.distances(letters, name.letters[start...].prefix(2 * letters.count)).enumerated()
                .compactMap { length, mistakes -> [Int]? in
                    guard mistakes <= allowed else { return nil }
                    let end = start + length
                    let isEnd = end == name.letters.count
                    let isWholeWord = isEnd || name.words.contains(end)
                    let place = start > 0 ? (isWholeWord ? 3 : 4) : isEnd ? 0 : isWholeWord ? 1 : 2
                    return [mistakes, spellings[0].isShortened ? 1 : 0, place]
                }
        }
        return ranks.min { $0.lexicographicallyPrecedes($1) }
    }

    private var allowed: Int {
        !spellings[0].allowsMistakes ? 0 : letters.count < 4 ? 0 : letters.count < 8 ? 1 : 2
    }

    /// The optimal string alignment distance of `query` to each beginning of `text`: the whole table.
    private static func distances(_ query: [UInt32], _ text: ArraySlice<UInt32>) -> [Int] {
        let text = Array(text)
        var rows = [Array(0...text.count)]
        for i in 1...query.count {
            var row = [i]
            for j in 0..<text.count {
                var least = min(rows[i - 1][j + 1] + 1, row[j] + 1, rows[i - 1][j] + (query[i - 1] == text[j] ? 0 : 1))
                if i > 1, j > 0, query[i - 1] == text[j - 1], query[i - 2] == text[j] {
                    least = min(least, rows[i - 2][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[query.count]
    }
}

private struct PlainName {
    var letters: [UInt32]
    /// The positions of the words' first letters.
    var words: [Int]

    init(_ name: String) {
        let form = SearchForm(name)
        letters = form.scalars
        words = form.wordStarts.map { start in
            String(decoding: form.letters[..<start], as: UTF8.self).unicodeScalars.count
        }
    }
}
