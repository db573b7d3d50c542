import Foundation
import Testing

/// The commands of README.md are run as they stand there: by a shell, from a line that a person copies.
@Suite(.timeLimit(.minutes(3)))
struct ReadmeTests {
    private static let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../README.md").standardizedFileURL

    /// Every command that begins with `words`, from the blocks of shell commands and of sessions.
    private static func commands(_ words: String) -> [String] {
        guard let text = try? String(contentsOf: readme, encoding: .utf8) else { return [] }
        var commands: [String] = []
        var isShell = false
        for line in text.replacing("\\\n", with: "").split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isShell = line == "```sh" || line == "```console" }
            let command = line.hasPrefix("$ ") ? line.dropFirst(2) : line
            if isShell, command.hasPrefix(words) { commands.append(String(command)) }
        }
        return commands
    }

    private static let loads = commands("marvel load")

    @Test func theReadmeShowsTheLoadTester() {
        #expect(Self.loads.count >= 7, "\(Self.loads)")
    }

    /// Shorter than they are meant, and against a server that is not at their default address.
    @Test(arguments: loads)
    func aLoadTestOfTheReadmeRuns(_ command: String) async throws {
        try await Stand.run { stand in
            let short = shortened(command)
            let shell = try await RunningProgram.run(
                "/bin/sh",
                ["-c", "cd '\(stand.folder.url.path)' && \(short)"],
                environment: [
                    "MARVEL_SERVER": stand.address,
                    "PATH": "\(RunningProgram.folder.path):/usr/bin:/bin",
                ]
            )
            // How fast this machine is while it tests is not what is tested: a target may be missed.
            let hasTarget = command.contains("--threshold") || command.contains("--find-limit")
            #expect(shell.status == 0 || hasTarget && shell.status == 99, "\(short): \(shell.errors)")
            for file in ["report.html", "load.json"] where command.contains(file) {
                #expect(try !Data(contentsOf: stand.folder.url.appending(path: file)).isEmpty)
            }
        }
    }

    private func shortened(_ command: String) -> String {
        let length = command.contains("--find-limit") ? "--step-duration 50ms" : "--duration 200ms"
        let timeless = command.replacing(/--duration [0-9a-z]+/, with: "")
        return timeless.replacing("marvel load", with: "marvel load --warmup 0 \(length)", maxReplacements: 1)
    }
}
