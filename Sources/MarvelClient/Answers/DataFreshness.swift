internal import WireMessages

/// The source of data, and the age of the data.
public struct DataFreshness: Sendable, Hashable {
    public enum Source: Sendable, Hashable {
        /// The server does not name the source.
        case unspecified
        /// The catalog that is part of the server.
        case builtIn
        /// An invented catalog for load tests.
        case synthetic
        /// The Marvel API or a compatible gateway, called for this request.
        case gateway
        /// A cached response of the gateway.
        case cache
        case file
        /// A source that this build does not know, by its number.
        case other(Int32)
    }

    public var source: Source
    /// The time since the source provided the data.
    public var age: Duration
    /// Whether the data is older than its source allows, because the source cannot be reached.
    public var isStale: Bool

    public init(source: Source = .unspecified, age: Duration = .zero, isStale: Bool = false) {
        self.source = source
        self.age = age
        self.isStale = isStale
    }
}

extension DataFreshness {
    init(_ freshness: Freshness) {
        self.init(source: Source(freshness.source), age: freshness.age, isStale: freshness.isStale)
    }
}

extension DataFreshness.Source {
    init(_ source: Freshness.Source) {
        switch source {
        case .unspecified: self = .unspecified
        case .builtIn: self = .builtIn
        case .synthetic: self = .synthetic
        case .gateway: self = .gateway
        case .cache: self = .cache
        case .file: self = .file
        default: self = .other(source.rawValue)
        }
    }
}
