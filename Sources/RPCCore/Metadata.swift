/// Pairs of text that travel with a call: `authorization`, `traceparent`, `x-request-id`.
///
/// A key may occur more than once; order is kept. Keys are case-sensitive.
public struct Metadata: Sendable, Hashable {
    package static let maximumPairs = 64
    package static let maximumBytes = 8 * 1024

    package private(set) var pairs: [Pair]

    package struct Pair: Sendable, Hashable {
        package var key: String
        package var value: String
    }

    package init() { self.pairs = [] }

    package mutating func append(_ key: String, _ value: String) {
        pairs.append(Pair(key: key, value: value))
    }

    /// The first value of a key, in the exact case: gRPC and HTTP/2 send lower case.
    public subscript(key: String) -> String? {
        pairs.first { $0.key == key }?.value
    }

    /// All values under `key`, which is lower case, in any case.
    package func values(ofAnyCase key: String) -> [String] {
        pairs.filter { $0.key.lowercased() == key }.map(\.value)
    }

    /// Removes the pairs whose key equals the lower-case `key` in any case.
    package func without(anyCaseOf key: String) -> Metadata {
        var rest = self
        rest.pairs.removeAll { $0.key.lowercased() == key }
        return rest
    }

    package var isEmpty: Bool { pairs.isEmpty }

    package var byteCount: Int { pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }
}
