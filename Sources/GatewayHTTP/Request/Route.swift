internal import MarvelDomain
internal import Upstream

enum Route: Hashable {
    /// `/v1/public/characters`
    case list(ResourceKind)
    /// `/v1/public/characters/{id}`. The text as sent may not be an id.
    case item(ResourceKind, id: String)
    /// `/v1/public/characters/{id}/comics`
    case related(ResourceKind, to: ResourceKind, id: String)
    /// `/emblem/{id}.png` and `/emblem/{id}/{variant}.png`
    case emblem(id: Int64, variant: ImageVariant)

    /// Has placeholders for the client's text, so that it can be logged.
    var pattern: String {
        switch self {
        case .list(let kind): "/v1/public/\(kind.rawValue)"
        case .item(let kind, _): "/v1/public/\(kind.rawValue)/{id}"
        case .related(let kind, let other, _): "/v1/public/\(other.rawValue)/{id}/\(kind.rawValue)"
        case .emblem(_, .full): "/emblem/{id}.png"
        case .emblem: "/emblem/{id}/{variant}.png"
        }
    }

    /// Nil for an unknown route. Trailing and double slashes of an API path are removed, because old apps have them.
    init?(path: Substring) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, parts.removeFirst().isEmpty else { return nil }
        if parts.first == "emblem" {
            self.init(emblem: parts.dropFirst())
            return
        }
        parts.removeAll(where: \.isEmpty)
        guard (3...5).contains(parts.count), parts.starts(with: ["v1", "public"]),
            let kind = ResourceKind(rawValue: parts[2])
        else { return nil }
        switch parts.count {
        case 3: self = .list(kind)
        case 4: self = .item(kind, id: parts[3])
        default:
            guard let other = ResourceKind(rawValue: parts[4]), kind.lists.contains(other) else { return nil }
            self = .related(other, to: kind, id: parts[3])
        }
    }

    private init?(emblem parts: ArraySlice<String>) {
        let suffix = ".png"
        guard let file = parts.last, file.hasSuffix(suffix) else { return nil }
        let words = parts.dropLast() + [String(file.dropLast(suffix.count))]
        guard let id = ResourceIDParser.parse(words[words.startIndex]) else { return nil }
        switch words.count {
        case 1: self = .emblem(id: id, variant: .full)
        case 2:
            // The full picture's name is empty, but `/.png` is not a valid path.
            guard let word = words.last, !word.isEmpty, let variant = ImageVariant(rawValue: word) else { return nil }
            self = .emblem(id: id, variant: variant)
        default: return nil
        }
    }
}

enum ResourceIDParser {
    /// Nil if the text holds anything but digits.
    static func parse(_ text: String) -> Int64? {
        text.utf8.allSatisfy(\.isDigit) ? Int64(text) : nil
    }
}
