internal import Glibc

/// `*` matches any characters: `developer.example`, `*.example/games/*`.
package struct RefererPattern: Sendable, Hashable {
    /// As fnmatch(3) reads it.
    private let pattern: String
    private let hasPath: Bool

    /// Nil for an empty text or a scheme: a page is accepted over http and https alike.
    package init?(_ text: String) {
        guard !text.isEmpty, !text.contains("://") else { return nil }
        pattern = text.lowercased().replacing(/[?\[\\]/) { "\\\($0.output)" }
        hasPath = text.contains("/")
    }

    /// Ignores port and letter case of a `Referer` or `Origin` header.
    func matches(_ referer: String) -> Bool {
        let address = referer.firstRange(of: "://").map { referer[$0.upperBound...] } ?? referer[...]
        let page = address.prefix { $0 != "?" && $0 != "#" }
        let authority = page.prefix { $0 != "/" }
        let host = authority.prefix { $0 != ":" }
        let subject = hasPath ? host + page[authority.endIndex...] : host
        return fnmatch(pattern, subject.lowercased(), 0) == 0
    }
}
