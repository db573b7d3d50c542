import ArgumentParser
import Foundation
import Testing

@testable import marvel

/// The output of `--help`.
struct HelpTests {
    private static let commands: [any ParsableCommand.Type] = [Marvel.self] + Marvel.configuration.subcommands
    private static let file = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "Help.txt")

    private static func help(_ command: any ParsableCommand.Type) -> String {
        Marvel.helpMessage(for: command, columns: 80)
    }

    /// To the letter: a change of the command line shows in review. With `MARVEL_WRITE_GOLDEN` set the file is written anew.
    @Test func everyHelpReadsAsItDid() throws {
        let text = Self.commands.map { "$ \(Self.name($0)) --help\n\(Self.help($0))" }.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["MARVEL_WRITE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: Self.file)
        }
        let golden = try String(contentsOf: Self.file, encoding: .utf8)
        #expect(text == golden, "\n\(text)")
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

    private static func name(_ command: any ParsableCommand.Type) -> String {
        let name = command.configuration.commandName ?? ""
        return command == Marvel.self ? name : "marvel \(name)"
    }

    /// The words of a command line; single quotes hold spaces.
    private static func words(_ line: Substring) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { number, part in
            number % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }
}
