import ArgumentParser
import Foundation

/// Measures everything, prints a table. `deploy/bench` builds what it needs and calls it.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Measures everything.")

    @OptionGroup
    var options: LaboratoryOptions

    @Option(help: "Where the figures go as JSON.")
    var json: String?

    func run() throws {
        let report = try options.withLaboratory { try BenchReport(pace: options.pace, in: $0) }
        print(report)
        guard let json else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        try encoder.encode(report).write(to: URL(fileURLWithPath: json))
    }
}
