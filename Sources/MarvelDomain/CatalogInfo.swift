/// A description of a catalog, and of the server that serves it.
public struct CatalogInfo: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The catalog that is part of the server.
        case builtIn
        /// An invented catalog for load tests.
        case synthetic
        /// The Marvel API or a compatible gateway, called for each request that is not cached.
        case gateway
        case file
        /// A kind that this build does not know, by its number.
        case other(Int32)
    }

    public var kind: Kind
    /// The number of characters; nil for a gateway, which does not report it.
    public var characterCount: Int?
    /// The ways to compare names that the catalog supports.
    public var matches: [Match]
    /// Attribution text to show with the catalog's data.
    public var attribution: String
    /// The time when the server loaded the catalog; nil for a gateway.
    public var loadedAt: Timestamp?
    /// The version of the server's software; empty if the server does not report it.
    public var serverVersion: String
    /// The history of the store of favorites, within which revisions count. It changes when the store is restored from
    /// a copy, or loses its newest changes.
    public var history: String

    public init(
        kind: Kind,
        characterCount: Int? = nil,
        matches: [Match] = [],
        attribution: String = "",
        loadedAt: Timestamp? = nil,
        serverVersion: String = "",
        history: String = ""
    ) {
        self.kind = kind
        self.characterCount = characterCount
        self.matches = matches
        self.attribution = attribution
        self.loadedAt = loadedAt
        self.serverVersion = serverVersion
        self.history = history
    }
}
