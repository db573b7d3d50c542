internal import MarvelDomain

/// What a path asks for.
enum Route: Hashable {
    /// `/v1/public/characters`
    case characters
    /// `/v1/public/characters/{id}`: the id as it was sent, which may be none.
    case character(id: String)
    /// `/emblem/{id}.png` and `/emblem/{id}/{variant}.png`: the pictures that characters name.
    case emblem(id: Int64, variant: ImageVariant)

    /// The route with names in place of what a client wrote, which may be anything.
    var pattern: String {
        switch self {
        case .characters: "/v1/public/characters"
        case .character: "/v1/public/characters/{id}"
        case .emblem(_, .full): "/emblem/{id}.png"
        case .emblem: "/emblem/{id}/{variant}.png"
        }
    }

    /// Nil if there is no such route. A slash at the end of an API path is taken off, as the original's router did.
    init?(path: Substring) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, parts.removeFirst().isEmpty else { return nil }
        if parts.first == "emblem" {
            self.init(emblem: parts.dropFirst())
            return
        }
        if parts.last == "" { parts.removeLast() }
        guard parts.starts(with: ["v1", "public", "characters"]) else { return nil }
        switch parts.count {
        case 3: self = .characters
        case 4: self = .character(id: parts[3])
        default: return nil
        }
    }

    private init?(emblem parts: ArraySlice<String>) {
        let suffix = ".png"
        guard let file = parts.last, file.hasSuffix(suffix) else { return nil }
        let words = parts.dropLast() + [String(file.dropLast(suffix.count))]
        guard let id = CharacterID.parse(words[words.startIndex]) else { return nil }
        switch words.count {
        case 1: self = .emblem(id: id, variant: .full)
        case 2:
            // The full picture's word is the empty one, and `/.png` is no address of it.
            guard let word = words.last, !word.isEmpty, let variant = ImageVariant(rawValue: word) else { return nil }
            self = .emblem(id: id, variant: variant)
        default: return nil
        }
    }
}

enum CharacterID {
    /// Nil if the text has anything but digits.
    static func parse(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }

    /// The number at the beginning of the text, whatever follows: how the original read ids.
    static func parseLeniently(_ text: String) -> Int64? { text.leadingInteger.map(Int64.init) }
}
