internal import Browse
internal import MarvelClient
internal import ProgramSupport
internal import TerminalUI

/// The text of a server's status.
struct HealthReport {
    var service: String
    var status: HealthStatus
    var style: ANSIStyle

    var lines: [String] {
        let subject = service.isEmpty ? "The server" : service.printable
        switch status {
        case .serving: return ["\(subject) is serving."]
        case .notServing: return [style.apply(.failure, to: "\(subject) is not serving.")]
        case .serviceUnknown: return ["The server has no service \(subject)."]
        case .unknown: return ["\(subject) does not know yet whether it is serving."]
        case .other(let number): return ["\(subject) answers with the unknown status \(number)."]
        }
    }
}

/// The text of the description of a server and its catalog.
struct CatalogReport {
    var info: CatalogInfo
    var style: ANSIStyle

    var lines: [String] {
        Facts(facts, style: style).lines
    }

    /// The lines for scripts.
    var rows: [String] { Facts(facts, style: style).rows }

    var footer: Footer { Footer(attribution: info.attribution) }

    private var facts: [(name: String, value: String)] {
        [
            ("version", info.serverVersion.printable),
            ("catalog", catalog),
            ("matches", info.matches.map(\.word).joined(separator: ", ")),
            ("loaded", info.loadedAt?.readable ?? ""),
            ("history", info.history.printable),
        ].filter { !$0.1.isEmpty }
    }

    private var catalog: String {
        let kind =
            switch info.kind {
            case .builtIn: "built-in"
            case .synthetic: "synthetic"
            case .gateway: "gateway"
            case .file: "file"
            case .other(let number): "of the unknown kind \(number)"
            }
        guard let count = info.characterCount else { return kind }
        return "\(kind), \(count) \(count == 1 ? "character" : "characters")"
    }
}
