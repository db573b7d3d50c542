internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The frames that are sent with the next write.
struct AnswerBuffer {
    private(set) var bytes = ByteBuffer()
    /// The longest frame data that the peer accepts, from its Hello. Errors are sent whatever their length.
    private(set) var maximumDataLength = FrameDecoder.protocolMaximum

    var byteCount: Int { bytes.readableBytes }
    var storageCapacity: Int { bytes.storageCapacity }

    /// Writes the Response of a call: the frame's header, the envelope's, and the message, each once and in place.
    mutating func writeResponse(_ message: some OutgoingMessage, on id: StreamID) throws(RPCError) {
        let payload = message.byteCount
        let length = ResponseEnvelope.headerByteCount(payloadByteCount: payload) + payload
        try check(length)
        bytes.write(byteCount: FrameHeader.byteCount + length) { writer in
            writer.write(FrameHeader(length: UInt32(length), streamID: id, type: .response, flags: FrameFlags()))
            ResponseEnvelope.writeHeader(payloadByteCount: payload, to: &writer)
            message.write(to: &writer)
        }
    }

    /// Writes a message of a stream. The last one may end the stream itself (ttrpc's PROTOCOL.md, "Data Flags").
    mutating func writeMessage(_ message: some OutgoingMessage, isLast: Bool, on id: StreamID) throws(RPCError) {
        let length = message.byteCount
        try check(length)
        let flags: FrameFlags = isLast ? .remoteClosed : FrameFlags()
        bytes.write(byteCount: FrameHeader.byteCount + length) { writer in
            writer.write(FrameHeader(length: UInt32(length), streamID: id, type: .data, flags: flags))
            message.write(to: &writer)
        }
    }

    mutating func writeEndOfStream(on id: StreamID) {
        bytes.writeFrame(.data, on: id, flags: [.remoteClosed, .noData])
    }

    mutating func writeError(_ error: RPCError, on id: StreamID) {
        writeEncodedResponse(ResponseEnvelope(status: error).encoded(), on: id)
    }

    /// Writes a Response whose envelope is encoded already.
    ///
    /// - Parameters:
    ///   - envelope: An encoded `ResponseEnvelope`.
    ///   - id: The call that it answers.
    mutating func writeEncodedResponse(_ envelope: ByteBuffer, on id: StreamID) {
        bytes.writeFrame(.response, on: id, data: envelope)
    }

    mutating func writeToConnection(_ type: FrameType, _ data: ByteBuffer) {
        bytes.writeFrame(type, on: .connection, data: data)
    }

    /// Writes the answer to a peer that speaks HTTP.
    mutating func writeAnswerToHTTP(port: Int?) { bytes.writeImmutableBuffer(WrongPort.answerToHTTP(port: port)) }

    /// Empties the buffer. Its storage is reused if nobody holds the written bytes any more, which is so after most
    /// writes.
    mutating func clear() {
        bytes.clear()
    }

    /// Releases storage that is not needed now.
    mutating func shrink() {
        if byteCount == 0 { bytes = ByteBuffer() }
    }

    /// - Parameter length: The maximum in the peer's Hello; 0 means that it sets no limit of its own.
    mutating func limit(to length: UInt32) {
        if length > 0 { maximumDataLength = min(Int(length), FrameDecoder.protocolMaximum) }
    }

    private func check(_ length: Int) throws(RPCError) {
        guard length <= maximumDataLength else {
            throw RPCError(
                .resourceExhausted,
                reason: .answerTooLarge,
                "answer has \(length) bytes, maximum is \(maximumDataLength): ask for smaller pages",
                metadata: ["bytes": "\(length)", "maximum": "\(maximumDataLength)"]
            )
        }
    }
}
