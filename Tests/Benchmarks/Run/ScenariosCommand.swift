import ArgumentParser

/// Measures some scenarios and nothing else, to compare two builds of the server.
struct ScenariosCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenarios",
        abstract: "Measures some scenarios on all their servers, and judges their bars."
    )

    @OptionGroup
    var options: LaboratoryOptions

    @Argument(help: "The beginnings of the scenarios' names, such as \"toggle\" or \"page 16x16\"; all without any.")
    var names: [String] = []

    func run() throws {
        let scenarios = Scenario.all.filter { scenario in
            names.isEmpty || names.contains { scenario.name.hasPrefix($0) }
        }
        guard !scenarios.isEmpty else {
            throw ValidationError("the scenarios are: \(Scenario.all.map(\.name).joined(separator: "; "))")
        }
        let rounds = try options.withLaboratory { try Rounds(scenarios, pace: options.pace, in: $0) }
        print(rounds.rows.table)
        // Those of scenarios that were not measured have no value.
        let bars = rounds.bars.filter { !$0.value.isNaN }
        if !bars.isEmpty { print("\n\(bars.table)") }
    }
}
