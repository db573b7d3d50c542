package import MarvelDomain
package import NIOCore

/// The conversion between the JSON and the encoding of one kind of message, which it knows by name only.
///
/// It is for those who pass messages on: the method that takes the message, or made it, decodes or encodes it.
package struct JSONTranslator: Sendable {
    private let message: JSONMessage

    /// - Parameter fullName: The protobuf name of the message. Nil if it has no JSON.
    package init?(_ fullName: String) {
        guard let message = JSONMessage.all[fullName] else { return nil }
        self.message = message
    }

    /// Converts JSON to the encoding.
    ///
    /// - Throws: `WireError.json` if it is not the message's JSON.
    package func encoding(of json: ByteBuffer) throws(WireError) -> ByteBuffer {
        do throws(JSONError) {
            return try JSONDecoding.encoding(of: Array(json.readableBytesView), as: message, .refuse)
        } catch {
            throw .json(error)
        }
    }

    /// Converts the encoding to JSON. Fields that have their default values are left out.
    ///
    /// - Throws: `JSONError` if the bytes are not an encoding of the message, or a time has no JSON.
    package func json(of encoded: ByteBuffer) throws(JSONError) -> ByteBuffer {
        try JSONEncoding.json(of: encoded, as: message, includesDefaults: false)
    }
}
