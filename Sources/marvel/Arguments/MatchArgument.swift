internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain

/// `Match` with its names on the command line.
enum MatchArgument: String, ExpressibleByArgument, CaseIterable {
    case prefix
    case word
    case substring
    case fuzzy

    /// Reads a name.
    ///
    /// - Parameter argument: One of the names, or `word-prefix`, which is the protocol's name of `word`.
    init?(argument: String) {
        self.init(rawValue: argument == "word-prefix" ? "word" : argument)
    }

    init(_ match: Match) {
        switch match {
        case .prefix: self = .prefix
        case .wordPrefix: self = .word
        case .substring: self = .substring
        case .fuzzy: self = .fuzzy
        }
    }

    var match: Match {
        switch self {
        case .prefix: .prefix
        case .word: .wordPrefix
        case .substring: .substring
        case .fuzzy: .fuzzy
        }
    }

    /// Returns the verb that relates the found names to the query: they "begin with" it.
    func verb(isPlural: Bool) -> String {
        switch self {
        case .prefix: isPlural ? "begin with" : "begins with"
        case .word: isPlural ? "have a word that begins with" : "has a word that begins with"
        case .substring: isPlural ? "contain" : "contains"
        case .fuzzy: isPlural ? "are like" : "is like"
        }
    }
}
