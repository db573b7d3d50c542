import ArgumentParser
import ProgramSupport

/// It has no options of its own, because the parser would prefer them to those of the subcommands.
@main
struct MarvelServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marvel-server",
        abstract: "Serves Marvel characters and shared lists of favorites over RPC.",
        discussion: """
            EXAMPLES:
              marvel-server                             # serves the built-in catalog
              marvel-server --store favorites.sqlite --catalog catalog.sqlite
              marvel-server --framed 127.0.0.1:6170 --http off --operations off
              marvel-server --config /etc/marvel-server/config.yaml
              marvel-server config                      # every setting and its source
              marvel-server token create phone --scope catalog:read
              marvel-server serve --help

            The default subcommand is `serve`. With no \
            options it listens on 127.0.0.1: port 6160 for marvel, \
            6161 for HTTP (gRPC, Connect, JSON), 6162 for the status page.

            ENVIRONMENT:
              MARVEL_CONFIG         the settings file
              MARVEL_<SETTING>      a setting: MARVEL_HTTP, MARVEL_MAX_STREAMS
              MARVEL_PUBLIC_KEY     with MARVEL_PRIVATE_KEY, or the file of mode 0600
                                    in MARVEL_PRIVATE_KEY_FILE: the keys of a gateway
              STATE_DIRECTORY       the folder for favorites.sqlite
              PGPASSWORD            the password of a database; PGPASSFILE its file

            EXIT STATUS:
              0     stopped by SIGTERM or SIGINT, or the command succeeded
              1     a temporary failure, such as an address in use, or the
                    command failed
              64    the command line is wrong
              78    the settings or the keys are wrong: a restart does not help
            """,
        version: StartUp.version,
        subcommands: [
            ServeCommand.self, CheckCommand.self, BackupCommand.self, RestoreCommand.self,
            MigrateCommand.self, StoredListsCommand.self, RevertCommand.self, TokenCommand.self, ImportCommand.self,
            ExportCommand.self, ConfigCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )

    static func main() async {
        await StartUp.main(MarvelServerCommand.self, serves: { $0 is ServeCommand })
    }
}
