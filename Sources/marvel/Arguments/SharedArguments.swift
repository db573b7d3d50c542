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

/// A character's number as an argument, above 0.
struct CharacterID: ExpressibleByArgument, Equatable {
    let number: Int64

    init?(argument: String) {
        guard let number = Int64(argument), number > 0 else { return nil }
        self.number = number
    }
}

/// The option for the list, for the subcommands that use lists.
struct ListOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The list of favorites: 1 to 64 of A-Z a-z 0-9 . _ - (default: default)", valueName: "name"),
        completion: .list(["default"]),
        transform: ListOption.name
    )
    var list = ListName.default

    static func name(_ text: String) throws -> ListName {
        // On the wire, an empty name means `default`. On a command line it is a mistake (`--list "$UNSET"`).
        guard !text.isEmpty, let name = ListName(text) else {
            throw ValidationError("A list's name has 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        return name
    }
}
