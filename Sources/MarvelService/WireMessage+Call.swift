internal import RPCCore
internal import WireMessages

extension WireMessage {
    /// Decodes the request of a call.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - limit: The limits of decoding.
    /// - Throws: INVALID_ARGUMENT if the payload is not an encoding of it; with the field if its text is invalid.
    init(_ call: IncomingCall, limit: DecodingLimit = .request) throws(RPCError) {
        do throws(WireError) {
            try self.init(decoding: call.payload, limit: limit)
        } catch {
            throw RPCError(undecodable: error)
        }
    }
}
