package struct ReloadedPart<Values: Sendable>: Sendable {
    package typealias Preparation = @Sendable (Values) async throws -> (@Sendable () -> Void)?

    let name: String
    /// Changes nothing. Returns a function that applies the new state and cannot fail; nil if the state did not change.
    /// After an error no part is reloaded.
    let prepare: Preparation

    package init(_ name: String, prepare: @escaping Preparation) { (self.name, self.prepare) = (name, prepare) }
}

package enum ReloadOutcome: Sendable, Equatable {
    /// `parts` changed; `changed` are keys in effect.
    case applied(parts: [String], changed: [String], needRestart: [String])
    case refused(reasons: [String])
}

/// All parts are reloaded, or none.
package actor Reloader<Values: SettingValues> {
    private let parts: [ReloadedPart<Values>]
    private var current: LayeredSettings<Values>

    package init(_ parts: [ReloadedPart<Values>], current: LayeredSettings<Values>) {
        (self.parts, self.current) = (parts, current)
    }

    package func reload(_ settings: LayeredSettings<Values>) async -> ReloadOutcome {
        let next: LayeredSettings<Values>
        do {
            next = try current.reloading(settings)
        } catch {
            return .refused(reasons: error.problems)
        }
        var (commits, names, reasons) = ([@Sendable () -> Void](), [String](), [String]())
        for part in parts {
            do {
                guard let commit = try await part.prepare(next.values) else { continue }
                commits.append(commit)
                names.append(part.name)
            } catch {
                reasons.append("\(part.name): \(error)")
            }
        }
        guard reasons.isEmpty else { return .refused(reasons: reasons) }
        for commit in commits { commit() }
        let changes = settings.changes(from: current)
        current = next
        return .applied(
            parts: names,
            changed: changes.filter(\.isReloaded).map(\.key),
            needRestart: changes.filter { !$0.isReloaded }.map(\.key)
        )
    }
}
