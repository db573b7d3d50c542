package import MarvelDomain
package import NIOCore

package enum UnknownJSONFields: Sendable, Hashable {
    case refuse
    /// Unknown fields are skipped; unknown enum names count as unset fields.
    case ignore
}

/// The JSON of messages (proto3's mapping). Only the services' requests and responses have JSON.
///
/// A reader also accepts the names of the `.proto`, and `null` for an unset field. Integers may be numbers or strings,
/// and enum values numbers. Base64 may have either alphabet, with or without padding.
extension WireMessage {
    /// Enough for the largest message's bytes in base64.
    package static var maximumJSONByteCount: Int { 8 * 1024 * 1024 }

    /// `limit` applies to the message's encoding.
    package init(
        json: ByteBuffer,
        limit: DecodingLimit,
        unknownFields: UnknownJSONFields = .refuse
    ) throws(WireError) {
        let encoded: ByteBuffer
        do throws(JSONError) {
            let (byteCount, maximum) = (json.readableBytes, Self.maximumJSONByteCount)
            guard byteCount <= maximum else { throw JSONError(.tooLarge(byteCount: byteCount, maximum: maximum)) }
            let bytes = Array(json.readableBytesView)
            encoded = try JSONDecoding.encoding(of: bytes, as: Self.jsonMessage(), unknownFields)
        } catch {
            throw .json(error)
        }
        try self.init(decoding: encoded, limit: limit)
    }

    /// `includesDefaults` also writes empty texts and arrays, 0 and false, but never unset messages or oneof fields.
    /// Throws if a time or a duration is out of range, or a path of a field mask has no camel case.
    package func json(includesDefaults: Bool = false) throws(JSONError) -> ByteBuffer {
        try JSONEncoding.json(of: encoded(), as: Self.jsonMessage(), includesDefaults: includesDefaults)
    }

    private static func jsonMessage() throws(JSONError) -> JSONMessage {
        guard let message = JSONMessage.all[fullName] else { throw JSONError(.malformed) }
        return message
    }
}
