public import ArgumentParser
internal import MarvelClient
public import MarvelDomain

extension Match: ExpressibleByArgument {
    /// Also takes `word-prefix`, the protocol's name of `word`.
    public init?(argument: String) {
        let name = argument == "word-prefix" ? "word" : argument
        guard let match = Match.allCases.first(where: { $0.word == name }) else { return nil }
        self = match
    }

    /// The name on the command line.
    var word: String {
        switch self {
        case .prefix: "prefix"
        case .wordPrefix: "word"
        case .substring: "substring"
        case .fuzzy: "fuzzy"
        }
    }

    public var defaultValueDescription: String { word }

    public static var allValueStrings: [String] { allCases.map(\.word) }
}

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
        help: ArgumentHelp(
            "The list of favorites: 1 to 64 characters from A-Z a-z 0-9 . _ - (default: default)",
            valueName: "name"
        ),
        completion: .list(["default"]),
        transform: ListOption.name
    )
    var list = ListName.default

    static func name(_ text: String) throws -> ListName {
        // On the wire, an empty name means `default`. On a command line it is a mistake (`--list "$UNSET"`).
        guard !text.isEmpty, let name = ListName(text) else {
            throw ValidationError("A list name has 1 to 64 characters from A-Z a-z 0-9 . _ -")
        }
        return name
    }
}
