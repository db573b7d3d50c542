package import NIOCore
package import NIOHPACK
package import RPCCore

/// The frames of this side: the answers of calls, and those of the connection.
extension HTTP2ServerStateMachine {
    // MARK: Answers

    /// Sends the headers of a stream. `isEnd` says that nothing follows; they then wait behind the stream's DATA.
    package mutating func sendHeaders(_ headers: HPACKHeaders, isEnd: Bool, on id: StreamID) {
        answers.send(headers, isEnd: isEnd, on: id, &streams)
    }

    /// Sends bytes of a stream's body, at once as far as the peer's windows permit it. The rest waits for them.
    ///
    /// - Parameters:
    ///   - isEnd: Whether the answer ends with them.
    ///   - id: The stream.
    ///   - write: Appends the bytes.
    package mutating func sendData(isEnd: Bool, on id: StreamID, _ write: (inout ByteBuffer) -> Void) {
        answers.sendData(isEnd: isEnd, on: id, &streams, write)
    }

    /// Adds bytes to those that a stream sends at the end of the turn, or sooner if they fill a frame.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - write: Appends the bytes.
    package mutating func gatherData(on id: StreamID, _ write: (inout ByteBuffer) -> Void) {
        answers.gather(on: id, &streams, write)
    }

    /// Sends what was gathered, as far as the peer's windows permit it.
    package mutating func sendGathered() { answers.sendGathered(&streams) }

    /// Resets an open stream. What waits to be sent on it is discarded.
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

    /// Returns a stream that both sides have ended, each once; nil if there is no further one.
    package mutating func nextClosed() -> StreamID? { streams.nextClosed() }

    /// Whether the stream's answer is not sent to its end.
    package func isSending(_ id: StreamID) -> Bool { streams.index(of: id).map { streams[$0].isSending } ?? false }

    // MARK: Windows

    /// Whether the first byte of a further message would be sent at once. At most one message of each stream waits if none is
    /// made without that.
    package func hasRoom(on id: StreamID) -> Bool {
        streams.index(of: id).map { answers.windows.hasRoom(for: streams[$0].outbound) } ?? false
    }

    /// Whether a part of a stream's last message has to wait, and a status would wait behind it.
    package func isStuck(_ id: StreamID) -> Bool {
        streams.index(of: id).map { answers.windows.isStuck(streams[$0].outbound) } ?? false
    }

    /// The bytes of DATA that wait for the peer's windows, or for the end of the turn.
    package var unsentByteCount: Int { answers.windows.unsentByteCount }

    /// Returns the streams of whose DATA the peer has taken no byte since the last such call, at which some waited.
    package mutating func stalledStreams() -> [StreamID] {
        streams.filter { $0.outbound.isStalled() }
    }

    // MARK: The connection

    package mutating func sendPing(_ data: UInt64) { answers.writePing(data, isAnswer: false) }

    /// Sends a GOAWAY. Later streams than its last one are ignored from now on (RFC 9113, section 6.8).
    package mutating func sendGoAway(lastStream: StreamID, _ code: HTTP2FaultCode, _ text: String) {
        answers.writeGoAway(lastStream: lastStream, code, text)
        if lastStream < .highest { streams.lastServed = lastStream }
    }

    // MARK: Output

    /// The bytes that were written in this turn.
    package var unflushedByteCount: Int { answers.output.readableBytes + answers.gatheredByteCount }

    /// Returns the frames to send, and forgets them.
    package mutating func takeOutput() -> ByteBuffer {
        answers.takeOutput()
    }

    package var hasOutput: Bool { answers.output.readableBytes > 0 }

    /// Returns the number of frames of answers that were written since the last such call.
    package mutating func takeWritten() -> WrittenFrames {
        defer { answers.written = WrittenFrames() }
        return answers.written
    }
}
