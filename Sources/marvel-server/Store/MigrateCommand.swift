import ArgumentParser
import FavoritesPostgres

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Creates or migrates the store in a database, and grants server rights to roles.",
        discussion: """
            Run it as the role that owns the schema marvel, before you start a server with a role of fewer rights, and \
            before you start servers of a new version; servers of this and the previous version continue to work. It \
            is safe to repeat. A server whose role owns the schema migrates it when it starts.
            """
    )

    @Argument(help: "The address of the database (postgresql://...).")
    var store: String

    @Option(
        help: ArgumentHelp(
            "Grant this role the rights that a server needs: to read and write rows, and to call functions.",
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
