package import ArgumentParser
internal import MarvelDomain

package struct UnknownSubcommand: CustomStringConvertible {
    let word: String
    let meant: String?
    private let names: [String]

    /// Nil if the command line names a subcommand, or has no word in its place. With a default subcommand, also nil for
    /// words that are not near a name. `optionsWithValue` are the root's options that take a value.
    package init?<Root: ParsableCommand>(
        in arguments: [String],
        of root: Root.Type,
        optionsWithValue: Set<String> = []
    ) {
        let names = Root.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !names.isEmpty else { return nil }
        for word in UnknownSubcommand.words(of: arguments, optionsWithValue) {
            guard word != "help", !names.contains(word) else { return nil }
            let meant = Suggestion.closest(to: word, among: names)
            if meant != nil || Root.configuration.defaultSubcommand == nil {
                (self.word, self.meant, self.names) = (word, meant, names)
                return
            }
        }
        return nil
    }

    private static func words(of arguments: [String], _ optionsWithValue: Set<String>) -> [String] {
        var words: [String] = []
        var isValue = false
        for argument in arguments.prefix(while: { $0 != "--" }) {
            if !isValue, !argument.hasPrefix("-") { words.append(argument) }
            isValue = !isValue && optionsWithValue.contains(argument)
        }
        return words
    }

    package var description: String {
        let advice = meant.map { "Did you mean '\($0)'?" } ?? "There are \(names.joined(separator: ", "))."
        return "'\(word)' is not a subcommand. \(advice)"
    }
}

package enum Suggestion {
    /// Otherwise the most similar word, if at most a third of its letters differ.
    package static func closest(to text: String, among words: [String]) -> String? {
        let text = text.lowercased()
        if text.count >= 2, let longer = words.first(where: { $0.hasPrefix(text) }) { return longer }
        let distances = words.map { (word: $0, distance: distance(text, $0)) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return nearest.distance <= max(nearest.word.count / 3, 1) ? nearest.word : nil
    }

    /// Letters to insert, remove, replace, or swap.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (left.unicodeScalars.map(\.value), right.unicodeScalars.map(\.value))
        var distances = EditDistances(of: left)
        distances.compare(to: right)
        return distances[left.count, right.count]
    }
}
