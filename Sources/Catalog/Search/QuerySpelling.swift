/// A query as names may have it: with another word for a title, or without what people say before a name.
///
///     dr doom     doctordoom  docdoom  drdoom
///     the hulk    thehulk     hulk
struct QuerySpelling: Sendable, Hashable {
    let form: SearchForm
    /// Whether it leaves out words of the query: what it finds comes behind what the whole query finds.
    var isShortened = false
    /// Whether typing mistakes are forgiven. Not where a title was made short, which whoever typed it in full did not
    /// think of: looking for that without mistakes takes little time.
    var allowsMistakes = true

    /// All spellings of a query, its own first. Most queries have no other.
    static func all(of query: SearchForm) -> [QuerySpelling] {
        let words = query.words
        guard words.count > 1 else { return [QuerySpelling(form: query)] }
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

    // MARK: Words

    private typealias Word = [UInt8]

    /// Each one is a search of its own.
    private static let maximumCount = 8

    /// Words that are written for one another before a name, those in full first.
    private static let titles = groups(titleLines)
    private static let titleLines = [
        "doctor dr doc", "captain capt cap", "professor prof", "mister mr", "miss ms mrs", "saint st",
    ]

    /// The same, anywhere.
    private static let nicknames = groups(nicknameLines)
    private static let nicknameLines = ["octopus ock"]

    private static let fullWords = Set((titleLines + nicknameLines).map { Word($0.prefix { $0 != " " }.utf8) })

    /// Words that are said before a name and are often no part of it.
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

    /// The words as they are, and then with other words for titles. The last word is no title: it is the name, or is still
    /// being typed.
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
