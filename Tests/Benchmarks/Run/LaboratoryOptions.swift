import ArgumentParser
import Foundation

/// The programs that are measured, and how long.
struct LaboratoryOptions: ParsableArguments {
    @Option(help: "The release build's marvel-server.")
    var server: String

    @Option(help: "The folder that the references were built into.")
    var references: String

    @Flag(help: "About a second for each scenario and server, for a first look.")
    var quick = false

    var pace: Pace { quick ? .quick : .full }

    /// Calls `body` with a laboratory whose folder is deleted afterwards.
    func withLaboratory<Value>(_ body: (Laboratory) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marvel-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let programs = Programs(server: server, bench: CommandLine.arguments[0], references: references)
        return try body(Laboratory(programs: programs, folder: folder))
    }
}
