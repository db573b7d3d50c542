import ArgumentParser

/// Measures favorites in PostgreSQL and nothing else.
struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Measures favorites in a PostgreSQL database, and compares them with a server in C."
    )

    @OptionGroup
    var options: LaboratoryOptions

    func run() throws {
        guard let database = try options.withLaboratory({ try SharedDatabase(pace: options.pace, in: $0) }) else {
            throw ValidationError("PostgreSQL is not installed.")
        }
        print("\(database.table)\n\n\(database.bars.table)")
    }
}
