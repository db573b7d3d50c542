internal import ArgumentParser
internal import ProgramSupport

/// A word where a subcommand was expected.
struct UnknownSubcommand: Equatable {
    let word: String

    private static let names = Marvel.configuration.subcommands.compactMap { $0.configuration.commandName }
    /// Global options that take the word behind them.
    private static let optionsWithValue: Set<String> = ["--server", "--timeout", "--color"]

    /// Nil if the first word that is no option is a subcommand, or if there is none.
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

    /// The error for people.
    var text: String {
        let names = UnknownSubcommand.names
        let advice =
            Suggestion.closest(to: word, among: names).map { "Did you mean '\($0)'?" }
            ?? "There are \(names.joined(separator: ", "))."
        return "'\(word)' is not a subcommand. \(advice)"
    }
}
