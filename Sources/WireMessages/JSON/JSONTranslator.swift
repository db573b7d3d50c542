package import MarvelDomain
package import NIOCore
package import RPCCore

/// Forwards messages: the method itself decodes or encodes them.
package struct JSONTranslator: Sendable {
    private let message: JSONMessage

    /// Nil without JSON.
    package init?(_ fullName: String) {
        guard let message = JSONMessage.all[fullName] else { return nil }
        self.message = message
    }

    package func encoding(of json: ByteBuffer) throws(WireError) -> ByteBuffer {
        do throws(JSONError) {
            return try JSONDecoding.encoding(of: Array(json.readableBytesView), as: message, .refuse)
        } catch {
            throw .json(error)
        }
    }

    /// Omits fields with default values.
    package func json(of encoded: ByteBuffer) throws(JSONError) -> ByteBuffer {
        try JSONEncoding.json(of: encoded, as: message, includesDefaults: false)
    }
}

extension JSONCodec {
    /// Nil if one of them has no JSON.
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
