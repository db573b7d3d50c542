package import MarvelDomain
package import NIOCore

/// A treatment of fields of JSON that a message does not have.
package enum UnknownJSONFields: Sendable, Hashable {
    case refuse
    /// They are skipped, and names that an enum does not have are read as if the field were not set.
    case ignore
}

/// The JSON of messages (proto3's mapping): names in camel case, 64-bit integers as strings, bytes as base64, enum
/// values by name, times as RFC 3339, durations as `1.5s`. Only the requests and responses of the services have JSON.
///
/// A reader accepts more: the names of the `.proto`, integers as numbers or strings, base64 of either alphabet with or
/// without padding, enum values as numbers, and `null` for a field that is not set.
///
/// JSON is converted from and to the encoding of the message, by the tables of fields that are generated: so no message
/// has code of its own, and a message that was encoded already is not decoded for it.
extension WireMessage {
    /// The maximum bytes of JSON that are read. Bytes in base64 of the largest message fit.
    package static var maximumJSONByteCount: Int { 8 * 1024 * 1024 }

    /// Reads JSON.
    ///
    /// - Parameters:
    ///   - json: The text, all of its readable bytes.
    ///   - limit: The limits of the message in its encoding.
    ///   - unknownFields: The treatment of fields that the message does not have.
    /// - Throws: `WireError`: `.json` if it is not the message's JSON, others if the message breaks a limit.
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

    /// Writes JSON.
    ///
    /// - Parameter includesDefaults: Whether fields are written whose value is the default: empty texts and arrays, 0
    ///   and false. Messages that are not set, and fields of a oneof, are left out in any case.
    /// - Returns: The text.
    /// - Throws: `JSONError` if a time or a duration is out of range, or a path of a field mask has no camel case.
    package func json(includesDefaults: Bool = false) throws(JSONError) -> ByteBuffer {
        try JSONEncoding.json(of: encoded(), as: Self.jsonMessage(), includesDefaults: includesDefaults)
    }

    private static func jsonMessage() throws(JSONError) -> JSONMessage {
        guard let message = JSONMessage.all[fullName] else { throw JSONError(.malformed) }
        return message
    }
}
