package import NIOCore
package import RPCCore

/// The message `ttrpc.Response`: the result of a unary call, or the error that ended a stream.
package struct ResponseEnvelope: Sendable, Hashable {
    /// The error. Nil if the call succeeded: no status, or one with code OK.
    package var status: RPCError?
    /// The encoded response message; empty if the call failed.
    package var payload: ByteBuffer

    package init(status: RPCError? = nil, payload: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.payload = payload
    }
}
