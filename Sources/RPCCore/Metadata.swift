/// Pairs of text that travel with a call: `authorization`, `traceparent`, `x-request-id`.
///
/// A key may occur more than once; order is kept. Keys are compared as they are written.
package struct Metadata: Sendable, Hashable {
    /// The maximum number of pairs of one call.
    package static let maximumPairs = 64
    /// The maximum size of all keys and values together, in bytes.
    package static let maximumBytes = 8 * 1024

    package private(set) var pairs: [Pair]

    /// One key with its value.
    package struct Pair: Sendable, Hashable {
        package var key: String
        package var value: String
    }

    package init() { self.pairs = [] }

    package mutating func append(_ key: String, _ value: String) {
        pairs.append(Pair(key: key, value: value))
    }

    /// The first value under `key`.
    package subscript(key: String) -> String? {
        pairs.first { $0.key == key }?.value
    }

    /// All values under `key`, whatever its case.
    package func values(ofAnyCase key: String) -> [String] {
        pairs.filter { $0.key.lowercased() == key }.map(\.value)
    }

    /// Returns the pairs whose key is not `key` in any case.
    package func without(anyCaseOf key: String) -> Metadata {
        var rest = self
        rest.pairs.removeAll { $0.key.lowercased() == key }
        return rest
    }

    package var isEmpty: Bool { pairs.isEmpty }
}
