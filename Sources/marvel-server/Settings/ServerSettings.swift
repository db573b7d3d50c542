import ArgumentParser
import Foundation
import ProgramSupport
import RPCCore
import Settings

struct ServerSettings: Sendable {
    private let commandLine: [GivenSetting]
    private let file: String?
    private let environment: [String: String]

    private static let maximumFileBytes = 1 << 20

    /// `installedFile` is read if it exists, and neither an option nor a variable names a file.
    init(_ flags: SettingFlags, installedFile: String? = nil) throws {
        environment = ProcessInfo.processInfo.environment
        let named = flags.config ?? environment[SettingsEnvironment.file].flatMap { $0.isEmpty ? nil : $0 }
        file = named ?? installedFile.flatMap { access($0, F_OK) == 0 ? $0 : nil }
        do throws(SettingsError) {
            commandLine = try flags.given()
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// Returns a warning for each variable that has no meaning. Throws `ValidationError` if only the command line is
    /// wrong, and otherwise `StartupError`, with all problems.
    func read() throws -> (settings: LayeredSettings<ServerValues>, warnings: [String]) {
        let table = ServerValues.table
        do {
            let inFile = try file.map { try table.given(inFile: Self.text(ofFile: $0), path: $0) } ?? []
            let inEnvironment = table.given(inEnvironment: environment)
            let settings = try LayeredSettings(table, sources: [inFile, inEnvironment.settings, commandLine])
            return (settings, inEnvironment.warnings)
        } catch let error as SettingsError {
            if error.isUsage { throw ValidationError("\(error)") }
            throw StartupError(.configuration, "\(error)")
        }
    }

    /// The names of set variables that are read elsewhere. Their values may be secret.
    var otherVariables: [String] {
        SettingsEnvironment.otherVariables.filter { environment[$0]?.isEmpty == false }.sorted()
    }

    private static func text(ofFile path: String) throws(StartupError) -> String {
        do throws(InputFile.Failure) {
            // `-` is not standard input, which a reload could not read again.
            return try InputFile.text(path == "-" ? "./-" : path, maximum: maximumFileBytes)
        } catch {
            throw StartupError(.configuration, "The settings file \(path) cannot be read: \(error.reason).")
        }
    }
}

/// A flag has the name of its setting, and its help from the table.
struct SettingFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A YAML settings file. Environment variables and options override it.",
            valueName: "file"
        )
    )
    var config: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set any setting by its key: limits.max-streams=64. `marvel-server config` lists them. May be repeated.",
            valueName: "key=value"
        )
    )
    var assignments: [String] = []

    @Option(help: .setting("framed.address")) var framed: [String] = []
    @Option(help: .setting("http.address")) var http: [String] = []
    @Option(help: .setting("operations.address")) var operations: [String] = []
    @Option(help: .setting("cors.origin")) var corsOrigin: [String] = []
    @Option(help: .setting("store")) var store: String?
    @Option(help: .setting("durability")) var durability: String?
    @Option(help: .setting("capacity")) var capacity: String?
    @Option(help: .setting("catalog")) var catalog: String?
    @Flag(help: .setting("allow-edits")) var allowEdits = false
    @Option(help: .setting("access.tokens")) var tokens: String?
    @Flag(help: .setting("access.require-tokens")) var requireTokens = false
    @Flag(help: .setting("access.insecure")) var insecure = false
    @Option(help: .setting("tls.cert")) var tlsCert: String?
    @Option(help: .setting("tls.key")) var tlsKey: String?
    @Option(help: .setting("log.level")) var logLevel: String?
    @Option(help: .setting("operations.log-format")) var logFormat: String?

    /// A flag that is not set has no texts.
    private static let flags: [(key: String, texts: @Sendable (SettingFlags) -> [String])] = [
        ("framed.address", \.framed), ("http.address", \.http), ("operations.address", \.operations),
        ("cors.origin", \.corsOrigin), ("store", { texts($0.store) }), ("durability", { texts($0.durability) }),
        ("capacity", { texts($0.capacity) }), ("catalog", { texts($0.catalog) }),
        ("allow-edits", { $0.allowEdits ? ["true"] : [] }), ("access.tokens", { texts($0.tokens) }),
        ("access.require-tokens", { $0.requireTokens ? ["true"] : [] }),
        ("access.insecure", { $0.insecure ? ["true"] : [] }), ("tls.cert", { texts($0.tlsCert) }),
        ("tls.key", { texts($0.tlsKey) }), ("log.level", { texts($0.logLevel) }),
        ("operations.log-format", { texts($0.logFormat) }),
    ]

    private static func texts(_ text: String?) -> [String] { text.map { [$0] } ?? [] }

    /// Throws `SettingsError` if an assignment is invalid, or a setting has both a flag and an assignment.
    func given() throws(SettingsError) -> [GivenSetting] {
        let table = ServerValues.table
        let assigned = try table.given(inAssignments: assignments)
        let flagged = Self.flags.map { key, texts in
            GivenSetting(key, texts(self), from: .commandLine(flag: "--\(table.setting(key: key)?.name ?? key)"))
        }
        .filter { !$0.texts.isEmpty }
        let twice = flagged.filter { flag in assigned.contains { $0.key == flag.key } }
        guard twice.isEmpty else {
            throw SettingsError(
                twice.map { "\($0.source) and --set \($0.key) are the same setting: remove one of them." },
                isUsage: true
            )
        }
        return flagged + assigned
    }
}

extension ArgumentHelp {
    fileprivate static func setting(_ key: String) -> ArgumentHelp {
        guard let setting = ServerValues.table.setting(key: key) else { preconditionFailure("unknown setting \(key)") }
        let facts = [setting.bounds, setting.kind == .toggle ? nil : "default: \(setting.defaultText)"].compactMap(
            \.self
        )
        let note = facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"
        return ArgumentHelp("\(setting.help)\(note)", valueName: setting.valueName)
    }
}

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

    @Flag(
        help:
            "Only check the values of the settings, not the files that they name. The exit status is 0 if they are valid, and 78 if not."
    )
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
