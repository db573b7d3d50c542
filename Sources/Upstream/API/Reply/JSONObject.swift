internal import FoundationEssentials

/// Decoder of a body that must be one JSON object. `JSONDecoder` itself limits the depth of nesting, to 512.
package enum JSONObject {
    package static let maximumByteCount = 4 * 1024 * 1024

    /// A refusal, which holds nothing of the body's content.
    package enum Refusal: Error, Hashable, CustomStringConvertible {
        case tooLarge(maximum: Int)
        case wrongShape

        package var description: String {
            switch self {
            case .tooLarge(let maximum): "it has more than \(maximum) bytes"
            case .wrongShape: "it is not a JSON object, or not of the contract's shape"
            }
        }
    }

    /// - Parameters:
    ///   - type: The type of the object.
    ///   - body: All bytes of the object.
    ///   - maximum: The maximum number of bytes.
    /// - Returns: The object.
    /// - Throws: `Refusal`.
    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8],
        maximumByteCount maximum: Int = maximumByteCount
    ) throws(Refusal) -> Value {
        guard body.count <= maximum else { throw .tooLarge(maximum: maximum) }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw .wrongShape
        }
    }
}

/// A decoded value, or nil if it could not be decoded.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) {
        value = try? Value(from: decoder)
    }
}

extension KeyedDecodingContainer {
    /// Returns the value; nil if it is absent, null, or of another type.
    package func lenient<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        try? decodeIfPresent(type, forKey: key)
    }

    /// Returns a whole number that may be written as an integer, as a fraction with nothing after the point, or as
    /// text.
    package func lenientInteger(_ key: Key) -> Int64? {
        lenient(Int64.self, key)
            ?? lenient(Double.self, key).flatMap { Int64(exactly: $0) }
            ?? lenient(String.self, key).flatMap { Int64($0) }
    }
}
