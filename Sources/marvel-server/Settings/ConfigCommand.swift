import ArgumentParser
import ProgramSupport
import Settings

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Shows all settings with their values and sources, as a settings file.",
        usage: "marvel-server config [--check | --sample] [<options of serve>]",
        discussion: """
            It accepts the options of `serve`, and reads the environment and the settings file like `serve`. If no \
            file is named, it reads that of the installed service, \(InstalledService.settings), if it exists.
            """
    )

    @Flag(help: "Only check the settings. The exit status is 0 if they are valid, and 78 if not.")
    var check = false

    @Flag(help: "Print a settings file with every key, its default and its meaning.")
    var sample = false

    @Flag(help: ArgumentHelp("Print every setting as a table in Markdown.", visibility: .hidden))
    var reference = false

    @OptionGroup(visibility: .hidden) var flags: SettingFlags

    func run() throws {
        if sample { return print(ServerValues.table.sample(for: "marvel-server"), terminator: "") }
        if reference { return print(ServerValues.table.reference, terminator: "") }
        let sources = try ServerSettings(flags, installedFile: InstalledService.settings)
        let (settings, warnings) = try sources.read()
        for warning in warnings { StandardError.write(Array("marvel-server: \(warning)\n".utf8)) }
        if check { return print("the settings are valid") }
        print(settings.table.listing(settings), terminator: "")
        let others = sources.otherVariables
        if !others.isEmpty { print("\n# Also set in the environment: \(others.joined(separator: ", "))") }
    }
}
