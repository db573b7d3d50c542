internal import MarvelClient
internal import TerminalUI

/// The text of the description of a server and its catalog.
struct CatalogReport {
    var info: CatalogInfo
    var style: ANSIStyle

    var lines: [String] {
        Facts(facts: facts, style: style).lines + Footer(attribution: info.attribution, style: style).lines
    }

    private var facts: [(name: String, value: String)] {
        [
            ("version", info.serverVersion.printable),
            ("catalog", catalog),
            ("matches", info.matches.map { MatchArgument($0).rawValue }.joined(separator: ", ")),
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
