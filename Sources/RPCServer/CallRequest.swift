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

/// A request of a call, as its wire has read it.
package struct CallRequest {
    let method: RPCMethod
    let system: RPCSystem
    let payload: ByteBuffer
    let metadata: Metadata
    /// The timeout in the form that `CallDeadline` takes.
    let timeoutNanoseconds: Int64
    /// Whether the caller reads a stream. One that does not gets the first message of a stream only.
    let wantsStream: Bool

    package init(
        to method: RPCMethod,
        system: RPCSystem = .ttrpc,
        _ payload: ByteBuffer,
        metadata: Metadata = Metadata(),
        timeoutNanoseconds: Int64,
        wantsStream: Bool
    ) {
        self.method = method
        self.system = system
        self.payload = payload
        self.metadata = metadata
        self.timeoutNanoseconds = timeoutNanoseconds
        self.wantsStream = wantsStream
    }

    /// Whether the answer is a stream.
    var isStream: Bool { wantsStream && method.isStreaming }

    /// Returns the time at which the caller stops waiting; nil means never.
    ///
    /// - Throws: RESOURCE_EXHAUSTED if the payload is above the method's limit, DEADLINE_EXCEEDED if the caller's
    ///   deadline had passed when it sent the call.
    func deadline(unaryTimeout: TimeAmount, now: NIODeadline) throws(RPCError) -> NIODeadline? {
        let byteCount = payload.readableBytes
        guard byteCount <= method.maximumRequestBytes else {
            throw .requestTooLarge(byteCount, maximum: method.maximumRequestBytes)
        }
        // A watch waits for events, also for a caller that takes one message only.
        let deadline = CallDeadline(
            timeoutNanoseconds: timeoutNanoseconds,
            default: isStream || method.isWatch ? nil : unaryTimeout,
            now: now
        )
        if case .passed = deadline { throw .deadlineExceeded }
        return deadline.time
    }
}
