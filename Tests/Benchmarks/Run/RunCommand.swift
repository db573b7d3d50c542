import ArgumentParser
import Foundation

/// Measures everything, prints a table. `deploy/bench` builds what it needs and calls it.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Measures everything.")

    @Option(help: "The release build's marvel-server.")
    var server: String

    @Option(help: "The folder that the references were built into.")
    var references: String

    @Flag(help: "About a second for each scenario and server, for a first look.")
    var quick = false

    @Option(help: "Where the figures go as JSON.")
    var json: String?

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marvel-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let programs = Programs(server: server, load: CommandLine.arguments[0], references: references)
        let laboratory = Laboratory(programs: programs, folder: folder)
        let report = try BenchReport(pace: quick ? .quick : .full, in: laboratory)
        print(report)
        guard let json else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        try encoder.encode(report).write(to: URL(fileURLWithPath: json))
    }
}
