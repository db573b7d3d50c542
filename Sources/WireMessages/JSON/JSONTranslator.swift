package import MarvelDomain
package import NIOCore

/// The conversion between the JSON and the encoding of a message that is known only by name.
///
/// It is for forwarding messages: the method itself decodes or encodes them.
package struct JSONTranslator: Sendable {
    private let message: JSONMessage

    /// Nil if the message `fullName` has no JSON.
    package init?(_ fullName: String) {
        guard let message = JSONMessage.all[fullName] else { return nil }
        self.message = message
    }

    /// - Throws: `WireError.json` if it is not the message's JSON.
    package func encoding(of json: ByteBuffer) throws(WireError) -> ByteBuffer {
        do throws(JSONError) {
            return try JSONDecoding.encoding(of: Array(json.readableBytesView), as: message, .refuse)
        } catch {
            throw .json(error)
        }
    }

    /// Omits fields with default values.
    ///
    /// - Throws: `JSONError` if the bytes are invalid, or a time has no JSON.
    package func json(of encoded: ByteBuffer) throws(JSONError) -> ByteBuffer {
        try JSONEncoding.json(of: encoded, as: message, includesDefaults: false)
    }
}
