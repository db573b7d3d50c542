package import NIOCore
package import RPCCore

/// `ttrpc.Response`: how a unary call ended, or the error that ended a stream.
package struct ResponseEnvelope: Sendable, Hashable {
    /// Nil when the call succeeded: no status, or one with code OK.
    package var status: RPCError?
    /// The encoded response message; empty when the call failed.
    package var payload: ByteBuffer

    package init(status: RPCError? = nil, payload: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.payload = payload
    }
}
