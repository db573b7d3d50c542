package import NIOCore
package import RPCCore
internal import WireMessages

extension RequestEnvelope {
    /// Decodes the envelope of a Request frame.
    ///
    /// - Throws: INVALID_ARGUMENT, or RESOURCE_EXHAUSTED for metadata over its limits.
    init(request bytes: ByteBuffer) throws(RPCError) {
        do {
            try self.init(decoding: bytes, limit: .envelope)
        } catch {
            throw RPCError(undecodable: error)
        }
    }
}

extension RPCError {
    /// Whether the request is malformed or over a general limit. Then the fault is its form, not what it asks for.
    package var isFaultOfPeer: Bool {
        switch reason {
        case .requestMalformed?, .messageTooLarge?, .messageTooComplex?, .metadataTooLarge?: true
        default: false
        }
    }
}

extension IncomingCall {
    /// Makes the call that its method gets.
    ///
    /// - Throws: RESOURCE_EXHAUSTED if the payload is above the method's limit, DEADLINE_EXCEEDED if the caller's
    ///   deadline had passed when it sent the call.
    package init(
        _ payload: ByteBuffer,
        metadata: Metadata = Metadata(),
        timeoutNanoseconds: Int64,
        to method: RPCCore.Method,
        wantsStream: Bool,
        unaryTimeout: TimeAmount,
        now: NIODeadline,
        from caller: CallerID,
        end: (@Sendable (RPCError) -> Void)?
    ) throws(RPCError) {
        let byteCount = payload.readableBytes
        guard byteCount <= method.maximumRequestBytes else {
            throw .requestTooLarge(byteCount, maximum: method.maximumRequestBytes)
        }
        // A watch waits for events, also for a caller that takes one message only.
        let isStream = method.isStreaming && (wantsStream || method.isWatch)
        let deadline = CallDeadline(
            timeoutNanoseconds: timeoutNanoseconds,
            default: isStream ? nil : unaryTimeout,
            now: now
        )
        if case .passed = deadline { throw .deadlineExceeded }
        self.init(payload: payload, metadata: metadata, deadline: deadline.time, caller: caller, end: end)
    }
}
