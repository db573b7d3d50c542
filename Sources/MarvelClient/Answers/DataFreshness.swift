internal import WireMessages

/// Where data came from, and how old it is.
public struct DataFreshness: Sendable, Hashable {
    public enum Source: Sendable, Hashable {
        /// The server did not say.
        case unspecified
        /// The catalog that is part of the server.
        case builtIn
        /// A catalog made up for load tests.
        case synthetic
        /// The Marvel API or its stand-in, asked for this call.
        case gateway
        /// An earlier answer of the gateway.
        case cache
        /// A catalog file.
        case file
        /// A source that this build does not know, by its number.
        case other(Int32)
    }

    public var source: Source
    /// Time since the source gave the data.
    public var age: Duration
    /// The data is older than its source allows, and is shown because the source cannot be reached.
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
