import ArgumentParser

/// Measures servers that share a PostgreSQL database, and nothing else.
struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Measures toggles with PostgreSQL, by one server and by three."
    )

    @OptionGroup
    var options: LaboratoryOptions

    func run() throws {
        try options.withLaboratory { laboratory in
            guard let figures = try SharedDatabase(pace: options.pace, in: laboratory) else {
                throw BenchmarkError("PostgreSQL is not installed")
            }
            print(figures.table)
        }
    }
}
