internal import ArgumentParser
internal import MarvelClient

/// Which list, for the subcommands that know lists.
struct ListOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The list of favorites: 1 to 64 of A-Z a-z 0-9 . _ - (default: default)", valueName: "name"),
        completion: .list(["default"]),
        transform: ListOption.name
    )
    var list = ListName.default

    private static func name(_ text: String) throws -> ListName {
        // On the wire no name means `default`; on a command line it is a slip (`--list "$UNSET"`).
        guard !text.isEmpty, let name = ListName(text) else {
            throw ValidationError("A list's name has 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        return name
    }
}
