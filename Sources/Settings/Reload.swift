/// A part of a running program that takes new settings or reads its files again.
package protocol Reloadable<Options>: Sendable {
    associatedtype Options: Sendable

    /// The name for the log: `tokens`.
    var name: String { get }

    /// The options that it applies while the program runs: `--log-level`.
    var flags: Set<String> { get }

    /// Reads and checks the new state, and changes nothing.
    ///
    /// - Parameter options: The new options.
    /// - Returns: A function that applies the new state and cannot fail; nil if the state is as before.
    /// - Throws: An error whose description says what is wrong. Then no part is reloaded.
    func prepare(_ options: Options) async throws -> (@Sendable () -> Void)?
}

/// The result of a reload.
package enum ReloadOutcome: Sendable, Equatable {
    /// - Parameters:
    ///   - parts: The names of the parts that changed.
    ///   - changed: The keys of changed settings that are in effect now.
    ///   - needRestart: The keys of changed settings that take effect with the next start.
    case applied(parts: [String], changed: [String], needRestart: [String])
    /// Everything is as before.
    case refused(reasons: [String])
}

/// The parts of a running program that are reloaded together, all or none.
package actor Reloader<Options: Sendable> {
    private let parts: [any Reloadable<Options>]
    /// The settings in effect.
    private var current: LayeredSettings?

    /// - Parameters:
    ///   - parts: The parts, in the order in which they are applied.
    ///   - current: The settings at the start of the program; nil if they all came from the command line.
    package init(_ parts: [any Reloadable<Options>], current: LayeredSettings?) {
        (self.parts, self.current) = (parts, current)
    }

    /// Prepares every part, and then applies all of them, or none if one refuses.
    ///
    /// - Parameters:
    ///   - options: The new options.
    ///   - settings: The new settings; nil if they all come from the command line.
    /// - Returns: What was reloaded, or why nothing was.
    package func reload(_ options: Options, settings: LayeredSettings?) async -> ReloadOutcome {
        var (commits, names, reasons) = ([@Sendable () -> Void](), [String](), [String]())
        for part in parts {
            do {
                guard let commit = try await part.prepare(options) else { continue }
                commits.append(commit)
                names.append(part.name)
            } catch {
                reasons.append("\(part.name): \(error)")
            }
        }
        guard reasons.isEmpty else { return .refused(reasons: reasons) }
        for commit in commits { commit() }
        let (changed, needRestart) = note(settings)
        return .applied(parts: names, changed: changed, needRestart: needRestart)
    }

    /// Notes the settings that are in effect now.
    ///
    /// - Returns: The keys of the changed settings.
    private func note(_ settings: LayeredSettings?) -> (changed: [String], needRestart: [String]) {
        guard let settings, let current else { return ([], []) }
        let flags = parts.reduce(into: Set()) { $0.formUnion($1.flags) }
        let changes = settings.changes(from: current)
        let applied = changes.filter { flags.contains($0.flag) }
        self.current = current.replacing(applied, from: settings)
        return (applied.map(\.key), changes.filter { !flags.contains($0.flag) }.map(\.key))
    }
}
