/// `marvel.v1.Freshness`: where data came from, and how old it is.
package struct Freshness: Sendable, Hashable {
    /// `marvel.v1.Freshness.Source` as it came: a value that this build does not know is kept.
    package struct Source: RawRepresentable, Sendable, Hashable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let unspecified = Source(rawValue: 0)
        /// The catalog that is part of the server.
        package static let builtIn = Source(rawValue: 1)
        /// A catalog made up for load tests.
        package static let synthetic = Source(rawValue: 2)
        /// The Marvel API or its stand-in, asked for this call.
        package static let gateway = Source(rawValue: 3)
        /// An earlier answer of the gateway.
        package static let cache = Source(rawValue: 4)
        /// A catalog file.
        package static let file = Source(rawValue: 5)
    }

    package var source: Source
    /// Time since the source gave the data, to the nanosecond.
    package var age: Duration
    /// The data is older than its source allows, and is shown because the source cannot be reached.
    package var isStale: Bool

    package init(source: Source = .unspecified, age: Duration = .zero, isStale: Bool = false) {
        self.source = source
        self.age = age
        self.isStale = isStale
    }
}
