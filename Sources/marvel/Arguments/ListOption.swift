internal import ArgumentParser
internal import MarvelClient

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
