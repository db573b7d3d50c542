internal import RPCCore
internal import WireMessages

extension WireMessage {
    /// The request that a call brings.
    ///
    /// - Throws: INVALID_ARGUMENT if the payload is not an encoding of it, with the field if its text is none.
    init(_ call: IncomingCall) throws(RPCError) {
        do throws(WireError) {
            try self.init(decoding: call.payload, limit: .request)
        } catch {
            throw RPCError(undecodable: error)
        }
    }
}
