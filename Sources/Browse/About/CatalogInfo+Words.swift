internal import MarvelDomain
internal import TerminalUI

/// The texts of a server's description.
extension CatalogInfo {
    /// The facts in order, with a name of each. Facts that the server does not tell are left out.
    func facts(in timeZone: LocalZone) -> [(name: String, value: String)] {
        [
            ("Server", serverVersion.isEmpty ? "" : "marvel-rpc \(serverVersion.printable)"),
            ("Catalog", catalog),
            ("Matches", matches.map(\.word).joined(separator: ", ")),
            ("Loaded", loadedAt.map { $0.minute(in: timeZone) } ?? ""),
            ("History", history.printable),
            ("Source", attribution.printable),
        ].filter { !$0.1.isEmpty }
    }

    private var catalog: String {
        let name =
            switch kind {
            case .builtIn: "built-in"
            case .synthetic: "synthetic"
            case .gateway: "gateway"
            case .file: "file"
            case .other(let number): "unknown (\(number))"
            }
        guard let characterCount else { return name }
        return "\(name), \(characterCount.grouped) \(characterCount == 1 ? "character" : "characters")"
    }
}
