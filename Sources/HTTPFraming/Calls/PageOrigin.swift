internal import NIOHPACK

/// The web page that sends a request, as its browser names it (the Fetch standard, "CORS protocol").
enum PageOrigin: Sendable, Hashable {
    /// A page of this server, or no browser.
    case own
    /// A page of another server that may call.
    case allowed(String)
    /// A page of another server that may not.
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
    /// The purpose of a request that no person has asked for, such as `prefetch`.
    var purpose: String?

    /// Whether a page of another site has the request sent, to show the answer in itself or before anybody asks for it. A
    /// link that a person follows is not such a request.
    var isEmbeddedByOtherSite: Bool {
        let isNavigation = mode == "navigate" && (destination ?? "document") == "document" && purpose == nil
        return site == "cross-site" && !isNavigation
    }
}

/// The headers of an answer that tell browsers which pages may read it, and caches which pages may be given it.
struct OriginHeaders: Sendable, Hashable {
    /// The origin of the page of another server that may read the answer; nil if there is none.
    private let allowed: String?
    /// Whether answers differ from origin to origin. The answer to a request without an origin says so too: a cache would
    /// give it to every page.
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
