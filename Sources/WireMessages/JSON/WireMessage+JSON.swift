package import MarvelDomain
package import NIOCore

/// The treatment of JSON fields that a message does not have.
package enum UnknownJSONFields: Sendable, Hashable {
    case refuse
    /// Unknown fields are skipped; unknown enum names count as unset fields.
    case ignore
}

/// The JSON of messages (proto3's mapping): names in camel case, 64-bit integers as strings, bytes as base64, enum
/// values by name, times as RFC 3339, durations as `1.5s`. Only the services' requests and responses have JSON.
///
/// A reader also accepts the names of the `.proto`, and `null` for an unset field. Integers may be numbers or strings,
/// and enum values numbers. Base64 may have either alphabet, with or without padding.
///
/// JSON is converted from and to the encoding, by generated tables of fields, so messages need no JSON code.
extension WireMessage {
    /// Enough for the largest message's bytes in base64.
    package static var maximumJSONByteCount: Int { 8 * 1024 * 1024 }

    /// Parses JSON. `limit` applies to the message's encoding.
    ///
    /// - Throws: `WireError`: `.json` if it is not the message's JSON, others if the message exceeds a limit.
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

    /// Writes JSON. `includesDefaults` also writes empty texts and arrays, 0 and false, but never unset messages or
    /// oneof fields.
    ///
    /// - Throws: `JSONError` if a time or a duration is out of range, or a path of a field mask has no camel case.
    package func json(includesDefaults: Bool = false) throws(JSONError) -> ByteBuffer {
        try JSONEncoding.json(of: encoded(), as: Self.jsonMessage(), includesDefaults: includesDefaults)
    }

    private static func jsonMessage() throws(JSONError) -> JSONMessage {
        guard let message = JSONMessage.all[fullName] else { throw JSONError(.malformed) }
        return message
    }
}
