internal import FoundationEssentials

/// Decoder of a body that must be one JSON object. Size and depth are checked first, because `JSONDecoder` recurses.
package enum JSONObject {
    package static let maximumByteCount = 4 * 1024 * 1024
    /// The maximum nesting depth. The contract needs 6.
    static let maximumDepth = 32

    package enum Refusal: Error, Hashable {
        case tooLarge
        case notAnObject
        case tooDeep
        case unfinished
        case wrongShape
    }

    /// - Parameters:
    ///   - type: The type of the object.
    ///   - body: All bytes of the object.
    ///   - maximum: The maximum number of bytes.
    /// - Returns: The object.
    /// - Throws: `Refusal`, which holds nothing of the body's content.
    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8],
        maximumByteCount maximum: Int = maximumByteCount
    ) throws(Refusal) -> Value {
        guard body.count <= maximum else { throw .tooLarge }
        try checkNesting(body)
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw .wrongShape
        }
    }

    /// Checks in one pass over the bytes that brackets outside of strings are closed and nested at most `maximumDepth`
    /// deep.
    private static func checkNesting(_ body: [UInt8]) throws(Refusal) {
        guard body.first(where: { !isSpace($0) }) == UInt8(ascii: "{") else { throw .notAnObject }
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in body {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\\") where isInString:
                isEscaped = true
            case UInt8(ascii: "\""):
                isInString.toggle()
            case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString:
                depth += 1
                guard depth <= maximumDepth else { throw .tooDeep }
            case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString:
                depth -= 1
            default:
                break
            }
        }
        guard depth <= 0, !isInString else { throw .unfinished }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}

extension JSONObject.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge: "it has more than \(JSONObject.maximumByteCount) bytes"
        case .notAnObject: "it is not a JSON object"
        case .tooDeep: "its JSON is nested deeper than \(JSONObject.maximumDepth)"
        case .unfinished: "its JSON is cut off"
        case .wrongShape: "its JSON does not have the shape of the contract"
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
