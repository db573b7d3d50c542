import ArgumentParser
import FavoritesPostgres

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Makes or migrates the store in a database, and gives roles the rights of a server.",
        discussion: """
            Run it as the role that owns the schema marvel, before a server that runs as a role with fewer rights, and \
            before servers of a new version: servers of this version and of the one before use the store meanwhile. It \
            may be run again. A server whose role owns the schema does it by itself when it starts.
            """
    )

    @Argument(help: "The address of the database (postgresql://...).")
    var store: String

    @Option(
        help: ArgumentHelp(
            "Give this role the rights that a server needs: to read and write rows, and to call functions.",
            valueName: "role"
        )
    )
    var grant: [String] = []

    @Option(help: "How many favorites a list of a new store may hold. (default: 5)")
    var capacity: Int?

    func run() throws {
        let report = try DatabaseMigration.migrate(DatabaseAddress(store), capacity: capacity, granting: grant)
        print("schema     \(report.version)\ncapacity   \(report.capacity)")
        for role in grant { print("granted    \(role)") }
    }
}
