/// A pattern of a host, or of a host and a path. `*` matches any characters: `developer.example`, `*.example/games/*`.
package struct RefererPattern: Sendable, Hashable {
    private let pieces: [[UInt8]]
    private let hasPath: Bool

    /// Reads a pattern. Nil if the text is empty or has a scheme, because a page is accepted over http and https alike.
    package init?(_ text: String) {
        guard !text.isEmpty, !text.contains("://") else { return nil }
        self.pieces = text.lowercased().split(separator: "*", omittingEmptySubsequences: false).map { Array($0.utf8) }
        self.hasPath = text.contains("/")
    }

    /// Whether a `Referer` or `Origin` header matches the pattern. Port and letter case are ignored.
    func matches(_ referer: String) -> Bool {
        let address = referer.firstRange(of: "://").map { referer[$0.upperBound...] } ?? referer[...]
        let page = address.prefix { $0 != "?" && $0 != "#" }
        let authority = page.prefix { $0 != "/" }
        let host = authority.prefix { $0 != ":" }
        let subject = hasPath ? host + page[authority.endIndex...] : host
        return RefererPattern.matches(Array(subject.lowercased().utf8)[...], pieces[...])
    }

    /// Whether the text begins with the first piece, ends with the last one, and has the others in order in between.
    private static func matches(_ text: ArraySlice<UInt8>, _ pieces: ArraySlice<[UInt8]>) -> Bool {
        guard let first = pieces.first, let last = pieces.last, text.starts(with: first) else { return false }
        guard pieces.count > 1 else { return text.count == first.count }
        var rest = text.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }
}
