internal import NIOCore
internal import RPCCore
internal import WireMessages

/// A call as its caller described it.
struct OutgoingRequest: Sendable {
    let method: MethodPath
    let kind: RPCCore.Method.Kind
    let payload: ByteBuffer
    let timeout: Duration?
    let metadata: Metadata

    init(
        _ method: MethodPath,
        _ kind: RPCCore.Method.Kind,
        _ payload: ByteBuffer,
        _ timeout: Duration?,
        _ metadata: Metadata
    ) {
        self.method = method
        self.kind = kind
        self.payload = payload
        self.timeout = timeout
        self.metadata = metadata
    }

    /// The data of the Request frame.
    ///
    /// - Parameter remaining: What is left of the caller's time; nil is no limit.
    /// - Returns: The encoded envelope.
    func envelope(remaining: TimeAmount?) -> ByteBuffer {
        RequestEnvelope(
            service: method.service,
            method: method.method,
            payload: payload,
            timeoutNanoseconds: remaining.map(\.nanoseconds) ?? 0,
            metadata: metadata
        ).encoded()
    }
}
