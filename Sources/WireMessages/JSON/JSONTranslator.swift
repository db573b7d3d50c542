package import MarvelDomain
package import NIOCore
package import RPCCore

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

extension JSONCodec {
    /// The JSON of two messages by their names; nil if one of them has none.
    package init?(request: String, response: String) {
        guard let request = JSONTranslator(request), let response = JSONTranslator(response) else { return nil }
        self.init { json throws(RPCError) in
            do throws(WireError) {
                return try request.encoding(of: json)
            } catch {
                throw RPCError(undecodable: error)
            }
        } encodeResponse: { encoded throws(RPCError) in
            do throws(JSONError) {
                return try response.json(of: encoded)
            } catch {
                throw RPCError(.internalError, reason: .serverFault, "the answer has no JSON: use application/proto")
            }
        }
    }
}
