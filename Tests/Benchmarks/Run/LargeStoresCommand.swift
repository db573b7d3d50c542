import ArgumentParser

/// Measures a large store beside a small one, which takes several minutes.
struct LargeStoresCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "large-stores",
        abstract: "Times the operations of a store with many lists, and compares them with a small one."
    )

    @OptionGroup
    var options: LaboratoryOptions

    @Option(help: "The number of lists of the large store.")
    var lists = 1_000_000

    func run() throws {
        guard let stores = try options.withLaboratory({ try LargeStores(lists: lists, in: $0) }) else {
            throw ValidationError("PostgreSQL is not installed.")
        }
        print("\(stores.table)\n\n\(stores.bars.table)")
    }
}
