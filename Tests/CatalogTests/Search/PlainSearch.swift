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
        case .fuzzy: return mistakes(in: name).map { $0 <= allowed } ?? false
        }
    }

    /// The least mistakes, over all runs of letters that begin where a word does.
    func mistakes(in name: String) -> Int? {
        spellings.compactMap { PlainSearch($0).allowedMistakes(in: PlainName(name)) }.min()
    }

    /// Whether what was typed is the name.
    func isWholeName(_ name: String, _ match: Match) -> Bool {
        spellings.prefix(match == .substring ? 1 : .max).map(\.form.scalars).contains(PlainName(name).letters)
    }

    /// Nil if they are too many.
    private func allowedMistakes(in name: PlainName) -> Int? {
        mistakes(in: name).flatMap { $0 <= allowed ? $0 : nil }
    }

    private var allowed: Int {
        !spellings[0].allowsMistakes ? 0 : letters.count < 4 ? 0 : letters.count < 8 ? 1 : 2
    }

    private func mistakes(in name: PlainName) -> Int? {
        // What is more than twice as long as the query is further away than no letter at all.
        name.words.map { PlainSearch.distances(letters, name.letters[$0...].prefix(2 * letters.count)).min() ?? .max }
            .min()
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
