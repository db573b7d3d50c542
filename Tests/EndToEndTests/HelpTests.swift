import Foundation
import Testing

/// The help of every command, to the letter: a change of a command line shows in review. CLITests has that of `marvel`.
@Suite(.timeLimit(.minutes(10)))
struct HelpTests {
    /// With `MARVEL_WRITE_GOLDEN` set the file is written again.
    @Test(arguments: ["marvel-server", "marvel-gateway"])
    func everyHelpMatchesItsFile(_ program: String) async throws {
        var (text, seen) = ("", Set<String>())
        for words in try await commands(of: program) {
            let help = try await RunningProgram.run(program, words + ["--help"]).output
                .trimmingCharacters(in: .newlines)
            // The parser wraps all but the usage.
            let wide = help.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("USAGE") }
            #expect(wide.isEmpty, "\(words): \(wide)")
            // Parts that all commands share, like the global options, are there once.
            let parts = help.split(separator: "\n\n").map(String.init).map { part in
                let title = part.prefix { $0 != "\n" }
                return seen.insert(part).inserted || title.count == part.count ? part : "\(title) (as above)"
            }
            text += "$ \(([program] + words).joined(separator: " ")) --help\n\(parts.joined(separator: "\n\n"))\n\n"
        }
        let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Help/\(program).txt")
        if ProcessInfo.processInfo.environment["MARVEL_WRITE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: file)
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        #expect(text == golden, "\n\(text)")
    }

    /// The words of each command behind the name of the program; none for its own.
    private func commands(of program: String) async throws -> [[String]] {
        let description = try await RunningProgram.run(program, ["--experimental-dump-help"]).output
        let root = try JSONDecoder().decode(Described.self, from: Data(description.utf8)).command
        return root.words(below: [])
    }

    /// A program as its parser describes it.
    private struct Described: Decodable {
        struct Command: Decodable {
            var commandName: String
            var subcommands: [Command]?

            func words(below words: [String]) -> [[String]] {
                let below = (subcommands ?? []).filter { $0.commandName != "help" }
                return [words] + below.flatMap { $0.words(below: words + [$0.commandName]) }
            }
        }

        var command: Command
    }
}
