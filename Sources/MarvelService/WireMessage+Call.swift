internal import RPCCore
internal import WireMessages

extension WireMessage {
    /// The request that a call brings.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - limit: What its request may cost to decode.
    /// - Throws: INVALID_ARGUMENT if the payload is not an encoding of it, with the field if its text is none.
    init(_ call: IncomingCall, limit: DecodingLimit = .request) throws(RPCError) {
        do throws(WireError) {
            try self.init(decoding: call.payload, limit: limit)
        } catch {
            throw RPCError(undecodable: error)
        }
    }
}
