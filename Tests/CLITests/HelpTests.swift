import ArgumentParser
import Testing

@testable import marvel

/// The output of `--help`.
struct HelpTests {
    private static let commands: [any ParsableCommand.Type] = [Marvel.self] + Marvel.configuration.subcommands

    private static func help(_ command: any ParsableCommand.Type) -> String {
        Marvel.helpMessage(for: command, columns: 80)
    }

    @Test func examplesAreUnderstood() throws {
        for command in Self.commands {
            let lines = Self.help(command).split(separator: "\n", omittingEmptySubsequences: false)
            let examples = lines.drop { $0 != "EXAMPLES:" }.dropFirst().prefix { !$0.isEmpty }
            #expect(!examples.isEmpty)
            for example in examples {
                let words = Self.words(example.replacing(#/\ +[#|>].*/#, with: ""))
                #expect(words.first == "marvel")
                if words.contains("--help") { continue }
                let parsed = try? Marvel.parseAsRoot(Array(words.dropFirst()))
                #expect(parsed is any ClientCommand, "\(example)")
            }
        }
    }

    /// The words of a command line; single quotes hold spaces.
    private static func words(_ line: Substring) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { number, part in
            number % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }
}
