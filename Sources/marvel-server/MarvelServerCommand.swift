import ArgumentParser
import ProgramSupport

/// The root command. It has no options of its own, because the parser would prefer them to those of the subcommands.
@main
struct MarvelServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marvel-server",
        abstract: "Serves Marvel characters and shared lists of favorites over a framed binary RPC.",
        discussion: """
            Without a subcommand it serves, and takes the options of `serve`: `marvel-server serve --help` lists them. \
            With no options it serves the built-in catalog at 127.0.0.1:6160.
            """,
        version: StartUp.version,
        subcommands: [
            ServeCommand.self, EditCommand.self, CheckCommand.self, BackupCommand.self, RestoreCommand.self,
            CopyCommand.self, MigrateCommand.self, ListsCommand.self, TokenCommand.self, ImportCommand.self,
            ExportCommand.self, MirrorCommand.self, ConfigCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )

    static func main() async { await StartUp.main(MarvelServerCommand.self, prepare: ServerSettings.prepare) }
}
