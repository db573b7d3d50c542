import ArgumentParser

@main
struct MarvelBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marvel-bench",
        abstract: "Measures marvel-server beside other servers that do the same work.",
        subcommands: [
            RunCommand.self, ScenariosCommand.self, DatabaseCommand.self, LargeStoresCommand.self, GrowthCommand.self,
            WatchersCommand.self,
        ],
        defaultSubcommand: RunCommand.self
    )
}
