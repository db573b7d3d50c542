internal import NIOCore
internal import RPCCore
internal import WireMessages

extension WireMessage {
    /// Decodes a server's response. A response that is not a message is the server's fault, not the caller's.
    init(response bytes: ByteBuffer) throws(RPCError) {
        do throws(WireError) {
            try self.init(decoding: bytes, limit: .response)
        } catch {
            throw .responseInvalid("the server's answer cannot be read as \(Self.fullName): \(error)")
        }
    }
}

extension RPCError {
    static func responseInvalid(_ message: String) -> RPCError {
        RPCError(.internalError, reason: .responseInvalid, message)
    }
}
