import ArgumentParser
import Foundation
import ProgramSupport
import RPCCore
import Settings
import Synchronization

/// The command `marvel-server config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Shows every setting with its value and its source.",
        usage: "marvel-server config [--check | --sample] [<options of serve>]",
        discussion: """
            It takes the options of `serve`, and reads the environment and the file of settings as `serve` does. If no \
            file is named, it reads that of the installed service, \(InstalledService.settings), if there is one. Secrets \
            are shown as ***.
            """
    )

    @Flag(help: "Print only whether the settings are valid. The exit status is 0 if they are, and 78 if not.")
    var check = false

    @Flag(help: "Print a file of settings with every key, its default and its meaning.")
    var sample = false

    @Flag(help: ArgumentHelp("Print the names of every setting as a table in Markdown.", visibility: .hidden))
    var reference = false

    @OptionGroup(visibility: .hidden) var serve: ServeCommand

    func run() throws {
        if sample { return print(try ServerSettings.table().sample(for: "marvel-server"), terminator: "") }
        if reference { return print(try ServerSettings.table().reference, terminator: "") }
        guard let settings = ServerSettings.atStart.withLock({ $0 }), let layers = settings.layers else { return }
        for warning in settings.warnings { StandardError.write(Array("marvel-server: \(warning)\n".utf8)) }
        if check { return print("the settings are valid") }
        print(layers.listing(environment: ProcessInfo.processInfo.environment), terminator: "")
    }
}
