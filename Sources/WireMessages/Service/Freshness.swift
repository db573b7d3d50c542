/// The message `marvel.v1.Freshness`: the source of data, and their age.
package struct Freshness: Sendable, Hashable {
    /// The enum `marvel.v1.Freshness.Source`. A value that this build does not know is kept.
    package struct Source: RawRepresentable, Sendable, Hashable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let unspecified = Source(rawValue: 0)
        /// The catalog that is part of the server.
        package static let builtIn = Source(rawValue: 1)
        /// A catalog that is generated for load tests.
        package static let synthetic = Source(rawValue: 2)
        /// The Marvel API or its stand-in, asked for this call.
        package static let gateway = Source(rawValue: 3)
        /// An earlier answer of the gateway.
        package static let cache = Source(rawValue: 4)
        /// A catalog file.
        package static let file = Source(rawValue: 5)
    }

    package var source: Source
    /// The time since the source gave the data, to the nanosecond.
    package var age: Duration
    /// Whether the data is older than its source allows, and is used because the source cannot be reached.
    package var isStale: Bool

    package init(source: Source = .unspecified, age: Duration = .zero, isStale: Bool = false) {
        self.source = source
        self.age = age
        self.isStale = isStale
    }
}
