internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// A call's request with the options that its caller chose.
struct OutgoingRequest: Sendable {
    let method: MethodPath
    let kind: RPCMethod.Kind
    let payload: ByteBuffer
    let metadata: Metadata
    /// Whether sending it twice has the same effect as sending it once.
    let isRepeatable: Bool
    /// Whether it may wait for the next attempt while no address may be tried.
    var waitsForServer = true

    /// Appends the Request frame.
    ///
    /// - Parameters:
    ///   - id: The call's stream.
    ///   - remaining: The time until the caller's deadline; nil is no limit.
    ///   - buffer: The buffer to append to.
    /// - Throws: RESOURCE_EXHAUSTED if the request is larger than a frame may be; then nothing is written.
    func writeFrame(on id: StreamID, remaining: TimeAmount?, to buffer: inout ByteBuffer) throws(RPCError) {
        let envelope = RequestEnvelope(
            service: method.service,
            method: method.method,
            payload: payload,
            timeoutNanoseconds: remaining?.nanoseconds ?? 0,
            metadata: metadata
        )
        let start = buffer.writerIndex
        let flags: FrameFlags = kind == .serverStreaming ? .remoteClosed : []
        buffer.writeFrameHeader(FrameHeader(length: 0, streamID: id, type: .request, flags: flags))
        envelope.encode(into: &buffer)
        let byteCount = buffer.writerIndex - start - FrameHeader.byteCount
        guard byteCount <= FrameDecoder.protocolMaximum else {
            buffer.moveWriterIndex(to: start)
            throw Refusal.frameTooLarge(byteCount: byteCount, maximum: FrameDecoder.protocolMaximum).error
        }
        // The length comes first in the frame, but is known only now.
        buffer.setInteger(UInt32(byteCount), at: start)
    }
}
