import ArgumentParser
import Foundation
import Testing

@testable import marvel

/// The output of `--help`.
struct HelpTests {
    private static let commands: [any ParsableCommand.Type] = [Marvel.self] + Marvel.configuration.subcommands

    private static func help(_ command: any ParsableCommand.Type) -> String {
        Marvel.helpMessage(for: command, columns: 80)
    }

    /// A change of a command line shows in review. With `MARVEL_WRITE_GOLDEN` set, the test writes the file.
    @Test func everyHelpMatchesItsFile() throws {
        let text = Self.commands.map { command in
            let name = ["marvel", command == Marvel.self ? nil : command.configuration.commandName].compactMap(\.self)
            let help = Self.help(command).trimmingCharacters(in: .newlines)
            return "$ \(name.joined(separator: " ")) --help\n\(help)\n\n"
        }.joined()
        for line in text.split(separator: "\n") where !line.hasPrefix("USAGE") {
            // The parser wraps all but the usage.
            #expect(line.count <= 80, "\(line)")
        }
        let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Help.txt")
        if ProcessInfo.processInfo.environment["MARVEL_WRITE_GOLDEN"] != nil { try Data(text.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "\n\(text)")
    }

    @Test func examplesAreParsed() throws {
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
