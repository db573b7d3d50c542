import ArgumentParser
import Foundation
import ProgramSupport
import RPCCore
import Settings

/// The sources of the server's settings. A reload reads them again.
struct ServerSettings: Sendable {
    private let commandLine: [GivenSetting]
    private let file: String?
    private let environment: [String: String]

    private static let maximumFileBytes = 1 << 20

    /// `installedFile` is read if it exists, and neither an option nor a variable names a file.
    ///
    /// - Throws: `ValidationError` if the command line is wrong.
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

    /// Reads all sources.
    ///
    /// - Returns: The settings, and a warning for each variable that has no meaning.
    /// - Throws: `ValidationError` if only the command line is wrong, and otherwise `StartupError`, with all problems.
    func read() throws -> (settings: LayeredSettings<ServerValues>, warnings: [String]) {
        let table = ServerValues.table
        do {
            let inFile = try file.map { try table.given(inFile: Self.text(ofFile: $0), path: $0) } ?? []
            let inEnvironment = try table.given(inEnvironment: environment)
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
        func refusal(_ reason: String) -> StartupError {
            StartupError(.configuration, "The settings file \(path) \(reason).")
        }
        let bytes: [UInt8]
        do throws(InputFile.Failure) {
            // An absolute path: `-` is not standard input, which a reload could not read again.
            bytes = try InputFile.read(URL(filePath: path).path, maximum: maximumFileBytes)
        } catch {
            throw refusal("cannot be read: \(error.reason)")
        }
        guard bytes.count <= maximumFileBytes else { throw refusal("has more than \(maximumFileBytes) bytes") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw refusal("is not text in UTF-8") }
        return text
    }
}
