package import ArgumentParser

/// A subcommand that a command line without a valid subcommand probably means.
package struct SubcommandSuggestion: CustomStringConvertible {
    let written: String
    let meant: String
    private let usage: String

    /// Finds the subcommand. Nil if the command line names a valid subcommand, or no similar word.
    ///
    /// - Parameters:
    ///   - arguments: The command line, without the program's name.
    ///   - root: The program's own command.
    package init?<Root: ParsableCommand>(_ arguments: [String], of root: Root.Type) {
        let names = Root.configuration.subcommands.compactMap { $0.configuration.commandName }
        let words = arguments.prefix { $0 != "--" }.filter { !$0.hasPrefix("-") }
        guard !words.contains(where: { names.contains($0) || $0 == "help" }) else { return nil }
        for word in words {
            if let name = Suggestion.closest(to: word, among: names) {
                self.written = word
                self.meant = name
                self.usage = Root.usageString()
                return
            }
        }
        return nil
    }

    package var description: String {
        "Error: There is no subcommand '\(written)'. Did you mean '\(meant)'?\nUsage: \(usage)"
    }
}
