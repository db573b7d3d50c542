package import MarvelDomain
package import NIOCore
package import RPCCore

/// The JSON of messages (proto3's mapping). Only the services' requests and responses have JSON.
///
/// It forwards messages: the method itself decodes or encodes them.
package struct JSONTranslator: Sendable {
    private let message: JSONMessage

    /// Nil without JSON.
    package init?(_ fullName: String) {
        guard let message = JSONMessage.all[fullName] else { return nil }
        self.message = message
    }

    /// A reader also accepts the names of the `.proto`, and `null` for an unset field. Integers may be numbers or strings,
    /// and enum values numbers. Base64 may have either alphabet, with or without padding.
    package func encoding(of json: ByteBuffer) throws(WireError) -> ByteBuffer {
        do throws(JSONError) {
            return try JSONDecoding.encoding(of: Array(json.readableBytesView), as: message)
        } catch {
            throw .json(error)
        }
    }

    /// Omits fields with default values. Throws if a time or a duration is out of range, or a path of a field mask has no
    /// camel case.
    package func json(of encoded: ByteBuffer) throws(JSONError) -> ByteBuffer {
        try JSONEncoding.json(of: encoded, as: message)
    }
}

extension WireMessage {
    package func json() throws(JSONError) -> ByteBuffer {
        guard let translator = JSONTranslator(Self.fullName) else { throw JSONError(.malformed) }
        return try translator.json(of: encoded())
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
