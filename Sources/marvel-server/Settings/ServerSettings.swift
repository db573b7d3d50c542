import ArgumentParser
import Foundation
import Logging
import ProgramSupport
import RPCCore
import Settings
import Synchronization

/// The settings of the server from the command line, the environment and a file.
struct ServerSettings: Sendable {
    /// nil if the command line is the only source: then no table was needed.
    let layers: LayeredSettings?
    /// What the operator should know about variables of the environment.
    let warnings: [String]
    /// The words behind the command's name on the command line.
    let words: [String]

    /// The maximum size of a file.
    static let maximumFileBytes = 1 << 20

    /// The settings that the program was started with.
    static let atStart = Mutex<ServerSettings?>(nil)

    /// Reads the settings from all sources.
    ///
    /// - Parameters:
    ///   - words: The command line, without the command's name.
    ///   - environment: Variables by name.
    ///   - withTable: Whether the values are wanted even if the command line is the only source.
    /// - Throws: `StartupError` with all problems of the file and the environment. Values are checked by the parser.
    init(words: [String], environment: [String: String], withTable: Bool = false) throws(StartupError) {
        self.words = words
        let isAlone =
            !Self.namesFile(words, [:])
            && !environment.keys.contains { $0.hasPrefix("MARVEL_") && !Self.variablesWithoutTable.contains($0) }
        if isAlone, !withTable {
            (layers, warnings) = (nil, [])
            return
        }
        do {
            let table = try Self.table()
            let (onCommandLine, path) = table.given(on: words)
            let inEnvironment = try table.given(inEnvironment: environment)
            let file = path ?? environment[SettingsTable.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
            let inFile = try file.map { try table.given(inFile: Self.text(ofFile: $0), path: $0) } ?? []
            layers = LayeredSettings(table, file: file, sources: [inFile, inEnvironment.settings, onCommandLine])
            warnings = inEnvironment.warnings
        } catch let error as StartupError {
            throw error
        } catch {
            throw StartupError(.configuration, "\(error)")
        }
    }

    /// The table of all settings, made from the parser of `serve`.
    static func table() throws -> SettingsTable { try SettingsTable(parserHelp: ServeCommand._dumpHelp()) }

    private static let variablesWithoutTable = SettingsTable.otherVariables.subtracting([SettingsTable.fileVariable])

    /// Logs the warnings about the settings that the program was started with.
    static func logWarnings(_ logger: Logger) {
        for warning in atStart.withLock({ $0?.warnings ?? [] }) {
            logger.warning("settings", metadata: ["problem": "\(warning)"])
        }
    }

    /// The arguments for the parser, with those that stand for values of other sources in front of the command line's.
    var arguments: [String] { (layers?.arguments ?? []) + words }

    /// Parses the settings.
    ///
    /// - Throws: `StartupError` that names the source of the value that the parser refuses.
    func parsed() throws(StartupError) -> ServeCommand {
        do {
            return try ServeCommand.parse(arguments)
        } catch {
            let message = ServeCommand.message(for: error)
            throw StartupError(.configuration, layers?.explained(message) ?? message)
        }
    }

    private static func text(ofFile path: String) throws(StartupError) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw StartupError(
                .configuration,
                "The file of settings \(path) cannot be read: \(String(cString: strerror(errno)))."
            )
        }
        defer { try? file.close() }
        let bytes: Data
        do {
            bytes = try file.read(upToCount: maximumFileBytes + 1) ?? Data()
        } catch {
            throw StartupError(.configuration, "The file of settings \(path) cannot be read: it is no regular file.")
        }
        guard bytes.count <= maximumFileBytes else {
            throw StartupError(.configuration, "The file of settings \(path) has more than \(maximumFileBytes) bytes.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw StartupError(.configuration, "The file of settings \(path) is not text in UTF-8.")
        }
        return text
    }
}

extension ServerSettings {
    /// Prepares the command line of the program: adds the settings of the other sources if it is for `serve` or `config`.
    ///
    /// - Throws: `StartupError` for the other sources, and `ValidationError` if an option has another name now.
    static func prepare(_ words: [String]) throws -> StartUp.Arguments {
        let commands = [ServeCommand.configuration.commandName, ConfigCommand.configuration.commandName]
        let isNamed = words.first.map { commands.contains($0) } ?? false
        // These ask for something else than to serve; and a word that is no command is the parser's to report.
        let asksForText = words.contains { ["--help", "-h", "--version"].contains($0) || isHidden($0) }
        let isForSample = words.contains { ["--sample", "--reference"].contains($0) }
        guard !asksForText, isNamed || words.first?.hasPrefix("-") ?? true else { return StartUp.Arguments(words) }
        if let problem = SettingsTable.problem(onCommandLine: words) { throw ValidationError(problem) }
        var (command, own) = isNamed ? (Array(words.prefix(1)), Array(words.dropFirst())) : ([], words)
        let environment = ProcessInfo.processInfo.environment
        if command.first == ConfigCommand.configuration.commandName, !isForSample, !namesFile(own, environment),
            access(InstalledService.settings, F_OK) == 0
        {
            own += [SettingsTable.fileFlag, InstalledService.settings]
        }
        let settings = try ServerSettings(
            words: own,
            environment: environment,
            withTable: command.first == ConfigCommand.configuration.commandName
        )
        atStart.withLock { $0 = settings }
        var arguments = StartUp.Arguments(command + settings.arguments)
        arguments.explained = { settings.layers?.explained($0) }
        return arguments
    }

    /// Returns whether a file of settings is named.
    private static func namesFile(_ words: [String], _ environment: [String: String]) -> Bool {
        words.contains { $0 == SettingsTable.fileFlag || $0.hasPrefix(SettingsTable.fileFlag + "=") }
            || environment[SettingsTable.fileVariable]?.isEmpty == false
    }

    /// Returns whether an option is one of the parser's own that no help lists.
    private static func isHidden(_ word: String) -> Bool {
        word.hasPrefix("--experimental-") || word.hasPrefix("--generate-") || word.hasPrefix("---")
    }
}
