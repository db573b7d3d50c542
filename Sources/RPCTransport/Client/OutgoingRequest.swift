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
    /// Sending it twice does no more than sending it once.
    let isRepeatable: Bool

    init(
        _ method: MethodPath,
        _ kind: RPCCore.Method.Kind,
        _ payload: ByteBuffer,
        _ timeout: Duration?,
        _ metadata: Metadata,
        isRepeatable: Bool
    ) {
        self.method = method
        self.kind = kind
        self.payload = payload
        self.timeout = timeout
        self.metadata = metadata
        self.isRepeatable = isRepeatable
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
