internal import FoundationEssentials

/// A decoder of a body that must be one JSON object. `JSONDecoder` limits the nesting depth to 512.
package enum JSONObject {
    package static let maximumByteCount = 4 * 1024 * 1024

    package enum Refusal: Error, Hashable, CustomStringConvertible {
        case tooLarge(maximum: Int)
        case wrongShape

        package var description: String {
            switch self {
            case .tooLarge(let maximum): "it has more than \(maximum) bytes"
            case .wrongShape: "it is not a JSON object of the expected form"
            }
        }
    }

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

    /// Returns a whole number that is an integer, a fraction such as `5.0`, or text.
    package func lenientInteger(_ key: Key) -> Int64? {
        lenient(Int64.self, key)
            ?? lenient(Double.self, key).flatMap { Int64(exactly: $0) }
            ?? lenient(String.self, key).flatMap { Int64($0) }
    }
}
