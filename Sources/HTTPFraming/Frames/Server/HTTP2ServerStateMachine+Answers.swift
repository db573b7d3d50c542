package import NIOCore
package import NIOHPACK
package import RPCCore

/// The frames of this side: the answers of calls, and those of the connection.
extension HTTP2ServerStateMachine {
    // MARK: Answers

    /// `isEnd` means that nothing follows; such headers wait behind the stream's DATA.
    package mutating func sendHeaders(_ headers: HPACKHeaders, isEnd: Bool, on id: StreamID) {
        answers.send(headers, isEnd: isEnd, on: id, &streams)
    }

    /// Sends bytes of a stream's body as far as the peer's windows permit it; the rest waits. `isEnd` means that the
    /// answer ends with them. `write` appends the bytes.
    package mutating func sendData(isEnd: Bool, on id: StreamID, _ write: (inout ByteBuffer) -> Void) {
        answers.sendData(isEnd: isEnd, on: id, &streams, write)
    }

    /// Adds bytes that a stream sends at the end of the turn, or sooner if they fill a frame. `write` appends the
    /// bytes.
    package mutating func gatherData(on id: StreamID, _ write: (inout ByteBuffer) -> Void) {
        answers.gather(on: id, &streams, write)
    }

    /// Sends the gathered bytes as far as the peer's windows permit it.
    package mutating func sendGathered() { answers.sendGathered(&streams) }

    /// Resets an open stream, and discards its waiting DATA.
    package mutating func reset(_ id: StreamID, _ code: HTTP2FaultCode) {
        guard let stream = streams.remove(id) else { return }
        answers.forget(id, stream)
        writeReset(id, code)
    }

    /// Resets a stream that is not in the table.
    mutating func writeReset(_ id: StreamID, _ code: HTTP2FaultCode) {
        streams.wasReset(id)
        answers.writeReset(id, code)
    }

    /// Returns each stream that both sides have ended once; nil without a further one.
    package mutating func nextClosed() -> StreamID? { streams.nextClosed() }

    package func isSending(_ id: StreamID) -> Bool { streams.index(of: id).map { streams[$0].isSending } ?? false }

    // MARK: Windows

    /// Whether the first byte of a further message could be sent now. If messages are made only then, at most one
    /// message of each stream waits.
    package func hasRoom(on id: StreamID) -> Bool {
        streams.index(of: id).map { answers.windows.hasRoom(for: streams[$0].outbound) } ?? false
    }

    /// Whether a part of a stream's last message must wait, and a status would wait behind it.
    package func isStuck(_ id: StreamID) -> Bool {
        streams.index(of: id).map { answers.windows.isStuck(streams[$0].outbound) } ?? false
    }

    /// The bytes of DATA that wait for the peer's windows, or for the end of the turn.
    package var unsentByteCount: Int { answers.windows.unsentByteCount }

    /// The streams with waiting DATA of which the peer has taken no byte since the last call.
    package mutating func stalledStreams() -> [StreamID] {
        streams.filter { $0.outbound.isStalled() }
    }

    // MARK: The connection

    package mutating func sendPing(_ data: UInt64) { answers.writePing(data, isAnswer: false) }

    /// Later streams than the last one are ignored from now on (RFC 9113, section 6.8).
    package mutating func sendGoAway(lastStream: StreamID, _ code: HTTP2FaultCode, _ text: String) {
        answers.writeGoAway(lastStream: lastStream, code, text)
        if lastStream < .highest { streams.lastServed = lastStream }
    }

    // MARK: Output

    package var unflushedByteCount: Int { answers.output.readableBytes + answers.gatheredByteCount }

    /// Returns the frames to send, and removes them.
    package mutating func takeOutput() -> ByteBuffer {
        answers.takeOutput()
    }

    package var hasOutput: Bool { answers.output.readableBytes > 0 }

    /// The frames of answers since the last call.
    package mutating func takeWritten() -> WrittenFrames {
        defer { answers.written = WrittenFrames() }
        return answers.written
    }
}
