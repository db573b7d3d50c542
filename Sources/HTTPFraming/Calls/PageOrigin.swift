internal import NIOHPACK

/// The web page that sends a request, as its browser names it (the Fetch standard, "CORS protocol").
enum PageOrigin: Sendable, Hashable {
    case own
    case allowed(String)
    case foreign

    init(_ origin: String?, authority: String?, allowed: Set<String>) {
        guard let origin else {
            self = .own
            return
        }
        if allowed.contains(origin) {
            self = .allowed(origin)
        } else if let authority, origin == "http://\(authority)" || origin == "https://\(authority)" {
            self = .own
        } else {
            self = .foreign
        }
    }

    var isAllowed: Bool { if case .allowed = self { true } else { false } }
}

/// The context of a request, as a browser names it (the W3C's "Fetch Metadata Request Headers").
struct FetchHeaders: Sendable, Hashable {
    var site: String?
    var mode: String?
    var destination: String?
    /// The purpose of a request without a person, such as `prefetch`.
    var purpose: String?

    /// Whether a page of another site embeds the answer, or requests it in advance. A link that a person follows is not
    /// such a request.
    var isEmbeddedByOtherSite: Bool {
        let isNavigation = mode == "navigate" && (destination ?? "document") == "document" && purpose == nil
        return site == "cross-site" && !isNavigation
    }
}

/// The headers that tell browsers which pages may read the answer, and caches which pages may get it.
struct OriginHeaders: Sendable, Hashable {
    /// The other server's origin that may read the answer, if any.
    private let allowed: String?
    /// Whether answers differ between origins. The answer to a request without an origin says so too: otherwise a cache
    /// would give it to every page.
    private let varies: Bool

    /// The headers of answers that pages of other servers never read.
    static let none = OriginHeaders(.own, varies: false)

    init(_ page: PageOrigin, varies: Bool) {
        if case .allowed(let name) = page { allowed = name } else { allowed = nil }
        self.varies = varies
    }

    func add(to headers: inout HPACKHeaders) {
        if varies { headers.add(name: "vary", value: "Origin") }
        guard let allowed else { return }
        headers.add(name: "access-control-allow-origin", value: allowed)
        headers.add(name: "access-control-expose-headers", value: "ETag, Retry-After")
    }
}
