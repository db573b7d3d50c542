import ArgumentParser

/// Measures how costs grow, in about four minutes; with `--quick` in two.
struct GrowthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Measures how the costs of calls grow with names, lists and connections."
    )

    @OptionGroup
    var options: LaboratoryOptions

    func run() throws {
        print(try options.withLaboratory { try Growth(pace: options.pace, in: $0) }.table)
    }
}
