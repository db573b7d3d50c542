internal import ArgumentParser
internal import MarvelClient

/// `Match`, with the names it has on the command line.
enum MatchArgument: String, ExpressibleByArgument, CaseIterable {
    case prefix
    case wordPrefix = "word-prefix"
    case substring
    case fuzzy

    var match: Match {
        switch self {
        case .prefix: .prefix
        case .wordPrefix: .wordPrefix
        case .substring: .substring
        case .fuzzy: .fuzzy
        }
    }

    /// What the names that were found do with the query: they "begin with" it.
    func verb(isPlural: Bool) -> String {
        switch self {
        case .prefix: isPlural ? "begin with" : "begins with"
        case .wordPrefix: isPlural ? "have a word that begins with" : "has a word that begins with"
        case .substring: isPlural ? "contain" : "contains"
        case .fuzzy: isPlural ? "are like" : "is like"
        }
    }
}
