import ChildProcesses
import Foundation
import Testing

/// README and the manuals are true: their commands run as they stand there, in a shell, from a line that a person
/// copies. Their options are those of the parsers, and their links lead to files.
///
/// Commands in a block that is marked as an example are not run: they need a terminal or files from elsewhere, or they
/// do not end by themselves. Their options are compared with the parsers too.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ManualTests {
    /// The address of a gateway in the manuals. A gateway of the test's own stands in for it.
    private static let gatewayAddress = "127.0.0.1:6163"

    @Test func theManualsHaveCommands() {
        let loads = Manual.all.flatMap(\.programCommands).filter { $0.hasPrefix("marvel load") }
        #expect(loads.count >= 7, "\(loads)")
    }

    @Test(arguments: Manual.all.filter { !$0.programCommands.isEmpty })
    func theCommandsOfAManualRun(_ manual: Manual) async throws {
        let commands = manual.programCommands
        let hasGateway = commands.contains { $0.contains(Self.gatewayAddress) }
        try await Stand.run(
            hasGateway ? .gateway(["--any-key"]) : .builtIn,
            serverArguments: hasGateway ? [] : ["--allow-edits"]
        ) { stand in
            let gateway = try await stand.gateway?.listeningAddress() ?? Self.gatewayAddress
            for command in commands {
                try await run(command.replacing(Self.gatewayAddress, with: gateway), on: stand)
            }
        }
    }

    /// Runs a command in the folder of the server's store. A load test is shorter than it is meant.
    private func run(_ command: String, on stand: Stand) async throws {
        let short = shortened(command)
        let folder = stand.folder.url.path
        let environment = [
            "HOME": folder, "MARVEL_SERVER": stand.address, "STATE_DIRECTORY": folder,
            "PATH": "\(RunningProgram.folder.path):/usr/bin:/bin",
        ]
        let shell = try await RunningProgram.run(
            "/bin/sh",
            ["-c", "cd '\(folder)' && \(short)"],
            environment: environment.merging(Stand.keys) { own, _ in own }
        )
        // The speed of this machine is not tested: a command may miss its target.
        let hasTarget = command.contains("--threshold") || command.contains("--find-limit")
        #expect(shell.status == 0 || hasTarget && shell.status == 99, "\(short): \(shell.errors)")
        for file in ["report.html", "load.json"] where command.contains(file) {
            #expect(try !Data(contentsOf: stand.folder.url.appending(path: file)).isEmpty)
        }
    }

    private func shortened(_ command: String) -> String {
        guard command.hasPrefix("marvel load") else { return command }
        let length = command.contains("--find-limit") ? "--step-duration 50ms" : "--duration 200ms"
        let timeless = command.replacing(/--duration [0-9a-z]+/, with: "")
        return timeless.replacing("marvel load", with: "marvel load --warmup 0 \(length)", maxReplacements: 1)
    }

    @Test func otherCommandsAreScriptsThatExist() {
        for manual in Manual.all {
            let programs = Set(manual.programCommands)
            for command in manual.commands where !programs.contains(command) && !command.hasPrefix("export ") {
                #expect(command.hasPrefix("deploy/"), "\(manual.path): \(command) is neither run nor an example")
            }
            for script in Set(manual.text.matches(of: /\bdeploy\/[a-z-]+/).map { String($0.output) }) {
                let path = Manual.repository.appending(path: script).path
                #expect(FileManager.default.isExecutableFile(atPath: path), "\(manual.path): \(script)")
            }
        }
    }

    @Test func linksLeadToFiles() {
        for manual in Manual.all {
            for file in manual.linkedFiles {
                let path = Manual.repository.appending(path: file).standardizedFileURL.path
                #expect(FileManager.default.fileExists(atPath: path), "\(manual.path): \(file)")
            }
        }
    }

    /// Each block of Swift is part of a file that is compiled.
    @Test func theSwiftOfTheManualsIsCompiled() throws {
        let files = ["MarvelClientTests/Examples.swift", "TallyTests/Examples.swift", "TallyService/Tally.swift"]
        let sources = try files.map { file in
            try String(contentsOf: Manual.repository.appending(path: "Tests/\(file)"), encoding: .utf8)
                .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        for manual in Manual.all {
            for block in manual.swiftBlocks {
                let lines = block.map { $0.trimmingCharacters(in: .whitespaces) }
                let code = lines.drop { $0.hasPrefix("import ") }
                let imports = lines.prefix(lines.count - code.count)
                let isCompiled = sources.contains { $0.contains(code) && imports.allSatisfy($0.contains) }
                #expect(isCompiled, "\(manual.path): put this into \(files[0]): \(block.joined(separator: "\n"))")
            }
        }
    }

    // MARK: Options

    @Test func theOptionsOfTheManualsAreThoseOfTheParsers() async throws {
        try await succeeded(manual("--check"))
    }

    /// Runs `deploy/manual` with the programs that are tested.
    private func manual(_ arguments: String...) async throws -> Ended {
        try await RunningProgram.run(
            Manual.repository.appending(path: "deploy/manual").path,
            ["--bin", RunningProgram.folder.path] + arguments
        )
    }
}
