internal import ArgumentParser
internal import MarvelClient

/// `Match`, with the names it has on the command line.
enum MatchArgument: String, ExpressibleByArgument, CaseIterable {
    case prefix
    case word
    case substring
    case fuzzy

    /// - Parameter argument: One of the names, or `word-prefix`, as the protocol calls it.
    init?(argument: String) {
        self.init(rawValue: argument == "word-prefix" ? "word" : argument)
    }

    var match: Match {
        switch self {
        case .prefix: .prefix
        case .word: .wordPrefix
        case .substring: .substring
        case .fuzzy: .fuzzy
        }
    }

    /// What the names that were found do with the query: they "begin with" it.
    func verb(isPlural: Bool) -> String {
        switch self {
        case .prefix: isPlural ? "begin with" : "begins with"
        case .word: isPlural ? "have a word that begins with" : "has a word that begins with"
        case .substring: isPlural ? "contain" : "contains"
        case .fuzzy: isPlural ? "are like" : "is like"
        }
    }
}
