internal import ArgumentParser
internal import ProgramSupport

/// An unknown word in the place of the subcommand.
struct UnknownSubcommand: Equatable {
    let word: String

    private static let names = Marvel.configuration.subcommands.compactMap { $0.configuration.commandName }
    /// Global options that take the next word as their value.
    private static let optionsWithValue: Set<String> = ["--server", "--timeout", "--color"]

    /// Finds the word. Nil if the first word that is not an option is a subcommand, or if there is none.
    init?(in arguments: [String]) {
        var isValue = false
        for argument in arguments {
            if isValue {
                isValue = false
            } else if argument == "--" {
                return nil
            } else if argument.hasPrefix("-") {
                isValue = UnknownSubcommand.optionsWithValue.contains(argument)
            } else {
                guard argument != "help", !UnknownSubcommand.names.contains(argument) else { return nil }
                word = argument
                return
            }
        }
        return nil
    }

    /// The error text.
    var text: String {
        let names = UnknownSubcommand.names
        let advice =
            Suggestion.closest(to: word, among: names).map { "Did you mean '\($0)'?" }
            ?? "There are \(names.joined(separator: ", "))."
        return "'\(word)' is not a subcommand. \(advice)"
    }
}
