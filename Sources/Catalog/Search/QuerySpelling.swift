/// A spelling of a query: with another word for a title, or without words that often precede a name.
///
///     dr doom     doctordoom  docdoom  drdoom
///     the hulk    thehulk     hulk
struct QuerySpelling: Sendable, Hashable {
    let form: SearchForm
    /// Whether words are dropped: such results come after those of the whole query.
    var isShortened = false
    /// False if an abbreviation replaced a title: the user did not type it, and an exact search is cheap.
    var allowsMistakes = true

    /// The query itself first. Most queries have only one.
    static func all(of query: SearchForm) -> [QuerySpelling] {
        guard query.wordStarts.count > 1 else { return [QuerySpelling(form: query)] }
        let words = query.words
        var spellings = titled(words)
        for prefix in droppedPrefixes where words.count > prefix.count && words.starts(with: prefix) {
            let rest = Array(words.dropFirst(prefix.count))
            // A single letter would find too many names.
            guard rest.joined().count > 1 else { continue }
            spellings += titled(rest).map {
                QuerySpelling(form: $0.form, isShortened: true, allowsMistakes: $0.allowsMistakes)
            }
        }
        return Array(spellings.prefix(maximumCount))
    }

    private typealias Word = [UInt8]

    /// Each spelling is a separate search.
    private static let maximumCount = 8

    /// The full word first.
    private static let titles = groups(titleLines)
    private static let titleLines = [
        "doctor dr doc", "captain capt cap", "professor prof", "mister mr", "miss ms mrs", "saint st",
    ]

    /// The full word first.
    private static let nicknames = groups(nicknameLines)
    private static let nicknameLines = ["octopus ock"]

    private static let fullWords = Set((titleLines + nicknameLines).map { Word($0.prefix { $0 != " " }.utf8) })

    private static let droppedPrefixes: [[Word]] =
        ["the", "a", "an", "mr", "mister", "ms", "miss", "mrs", "agent of", "agents of"]
        .map { $0.split(separator: " ").map { Word($0.utf8) } }

    private static func groups(_ lines: [String]) -> [Word: [Word]] {
        var groups: [Word: [Word]] = [:]
        for line in lines {
            let words = line.split(separator: " ").map { Word($0.utf8) }
            for word in words { groups[word] = words.filter { $0 != word } }
        }
        return groups
    }

    /// The words as they are come first. The last word is never a title: it is the name, or incomplete.
    private static func titled(_ words: [Word]) -> [QuerySpelling] {
        var spellings: [(words: [Word], allowsMistakes: Bool)] = [([], true)]
        for (place, word) in words.enumerated() {
            let others = (place < words.count - 1 ? titles[word] : nil) ?? nicknames[word] ?? []
            let choices = [(word, true)] + others.map { ($0, fullWords.contains($0)) }
            spellings = choices.flatMap { word, allowsMistakes in
                spellings.map { ($0.words + [word], $0.allowsMistakes && allowsMistakes) }
            }
            if spellings.count > maximumCount { spellings.removeLast(spellings.count - maximumCount) }
        }
        return spellings.map { QuerySpelling(form: SearchForm(words: $0.words), allowsMistakes: $0.allowsMistakes) }
    }
}
