internal import NIOCore
internal import NIOHPACK
internal import RPCCore

/// The frames that a server sends, in order, and DATA that waits for the peer's windows (RFC 9113, section 5.2).
struct AnswerWriter {
    /// The longest written payload. No peer may announce a lower maximum (section 6.5.2).
    private static let maximumPayloadByteCount = 16_384

    /// The frames of this turn.
    private(set) var output = ByteBuffer()
    /// The size of the last turn's frames, for allocating the next turn's memory.
    private var expectedByteCount = 0
    var windows = OutboundWindows()
    private var headers = HeaderBlockWriter()
    private var gathering: [StreamID] = []
    private(set) var gatheredByteCount = 0
    /// The streams whose DATA waits for a window, in the order in which they get the connection's.
    private var blocked: [StreamID] = []
    /// The frames of answers since `takeWritten`.
    var written = WrittenFrames()

    /// Returns the frames of this turn with their memory, so that an idle connection keeps none of it.
    mutating func takeOutput() -> ByteBuffer {
        defer { output = ByteBuffer() }
        expectedByteCount = min(output.readableBytes, Self.maximumExpectedByteCount)
        return output
    }

    private static let maximumExpectedByteCount = 4_096

    // MARK: Frames of the connection

    mutating func writeSettings(_ settings: [(setting: HTTP2SettingName, value: UInt32)]) {
        output.writeFrameHeader(.settings, settings.count * HTTP2SettingName.byteCount)
        for (setting, value) in settings { output.writeMultipleIntegers(setting.rawValue, value) }
    }

    mutating func writeSettingsAcknowledgement() { output.writeFrameHeader(.settings, 0, flags: .acknowledgement) }

    mutating func writePing(_ data: UInt64, isAnswer: Bool) {
        output.writeFrameHeader(.ping, 8, flags: isAnswer ? .acknowledgement : .none)
        output.writeInteger(data)
    }

    mutating func writeGoAway(lastStream: StreamID, _ code: HTTP2FaultCode, _ text: String) {
        output.writeFrameHeader(.goAway, 8 + text.utf8.count)
        output.writeMultipleIntegers(lastStream.rawValue, code.rawValue)
        output.writeString(text)
    }

    mutating func writeWindowUpdate(_ byteCount: Int, on id: StreamID) {
        output.writeFrameHeader(.windowUpdate, 4, on: id)
        output.writeInteger(UInt32(truncatingIfNeeded: byteCount))
    }

    mutating func writeReset(_ id: StreamID, _ code: HTTP2FaultCode) {
        output.writeFrameHeader(.reset, 4, on: id)
        output.writeInteger(code.rawValue)
    }

    mutating func headerTableSizeChanged(to size: UInt32) { headers.tableSizeChanged(to: size) }

    // MARK: HEADERS

    /// The last headers wait behind the DATA of their stream.
    mutating func send(_ headers: HPACKHeaders, endStream: Bool, on id: StreamID, _ streams: inout ServerStreams) {
        guard let index = streams.index(of: id), streams[index].isSending else { return }
        if streams[index].waiting.readableBytes > 0 {
            streams[index].end = .trailers(headers)
            return sendWaiting(id, at: index, &streams)
        }
        writeHeaders(headers, endStream: endStream, on: id)
        if endStream { sendingEnded(id, at: index, &streams) }
    }

    private mutating func writeHeaders(_ headers: HPACKHeaders, endStream: Bool, on id: StreamID) {
        written.headersCount += 1
        // The memory grows once, and not with each of the first frames.
        if output.readableBytes == 0 { output.reserveCapacity(expectedByteCount) }
        let start = output.writerIndex
        let flags: HTTP2FrameFlags = endStream ? [.endHeaders, .endStream] : .endHeaders
        output.writeFrameHeader(.headers, 0, flags: flags, on: id)
        self.headers.write(headers, to: &output)
        let byteCount = output.writerIndex - start - HTTP2FrameHeader.byteCount
        guard byteCount <= Self.maximumPayloadByteCount else {
            return splitHeaders(from: start, endStream: endStream, on: id)
        }
        output.setLength(byteCount, ofFrameAt: start)
    }

    /// Divides headers that are longer than a frame (section 4.3).
    private mutating func splitHeaders(from start: Int, endStream: Bool, on id: StreamID) {
        let first = start + HTTP2FrameHeader.byteCount
        var rest = output.copyBytes(at: first, length: output.writerIndex - first)
        output.moveWriterIndex(to: start)
        var type = HTTP2FrameType.headers
        while let part = rest.readSlice(length: min(rest.readableBytes, Self.maximumPayloadByteCount)) {
            var flags: HTTP2FrameFlags = rest.readableBytes == 0 ? .endHeaders : .none
            if type == .headers, endStream { flags.insert(.endStream) }
            output.writeFrameHeader(type, part.readableBytes, flags: flags, on: id)
            output.writeImmutableBuffer(part)
            type = .continuation
            if rest.readableBytes == 0 { return }
        }
    }

    // MARK: DATA

    /// Sends DATA as far as the windows permit it; the rest waits. `endStream` means that the answer ends with it. `write`
    /// appends the bytes.
    mutating func sendData(
        endStream: Bool,
        on id: StreamID,
        _ streams: inout ServerStreams,
        _ write: (inout ByteBuffer) -> Void
    ) {
        guard let index = streams.index(of: id), streams[index].isSending else { return }
        if streams[index].waiting.readableBytes == 0 {
            // The hot path: the bytes are written in place.
            let start = output.writerIndex
            output.writeFrameHeader(.data, 0, flags: endStream ? .endStream : .none, on: id)
            write(&output)
            let byteCount = output.writerIndex - start - HTTP2FrameHeader.byteCount
            if byteCount <= Self.maximumPayloadByteCount,
                windows.takeAtOnce(byteCount, on: &streams[index].outbound)
            {
                output.setLength(byteCount, ofFrameAt: start)
                written.dataWritten(byteCount)
                if endStream { sendingEnded(id, at: index, &streams) }
                return
            }
            streams[index].waiting = output.copyBytes(at: start + HTTP2FrameHeader.byteCount, length: byteCount)
            windows.written(byteCount, on: &streams[index].outbound)
            output.moveWriterIndex(to: start)
        } else {
            wait(for: &streams[index], write)
        }
        if endStream { streams[index].end = .data }
        sendWaiting(id, at: index, &streams)
    }

    /// Adds a message to those that a stream sends in this turn. The messages of one stream share frames, which costs
    /// both sides less.
    mutating func gather(on id: StreamID, _ streams: inout ServerStreams, _ write: (inout ByteBuffer) -> Void) {
        guard let index = streams.index(of: id), streams[index].isSending else { return }
        let byteCountBefore = streams[index].waiting.readableBytes
        wait(for: &streams[index], write)
        if byteCountBefore == 0 { gathering.append(id) }
        let byteCount = streams[index].waiting.readableBytes
        gatheredByteCount += byteCount - byteCountBefore
        if byteCount >= Self.maximumPayloadByteCount { sendWaiting(id, at: index, &streams) }
    }

    /// Sends the messages of this turn as far as the windows permit it.
    mutating func sendGathered(_ streams: inout ServerStreams) {
        gatheredByteCount = 0
        guard !gathering.isEmpty else { return }
        for id in gathering {
            if let index = streams.index(of: id), streams[index].waiting.readableBytes > 0 {
                sendWaiting(id, at: index, &streams)
            }
        }
        gathering.removeAll(keepingCapacity: true)
    }

    private mutating func wait(for stream: inout ServerStream, _ write: (inout ByteBuffer) -> Void) {
        let byteCountBefore = stream.waiting.readableBytes
        // The second message shows that there may be many: the memory grows once.
        if byteCountBefore > 0 { stream.waiting.reserveCapacity(Self.maximumPayloadByteCount) }
        write(&stream.waiting)
        windows.written(stream.waiting.readableBytes - byteCountBefore, on: &stream.outbound)
    }

    // MARK: DATA that waits

    /// Sends the DATA of a stream as far as the windows permit it, and then the end of the answer.
    private mutating func sendWaiting(_ id: StreamID, at index: ServerStreams.Index, _ streams: inout ServerStreams) {
        while streams[index].waiting.readableBytes > 0 {
            let byteCount = min(
                windows.sendableByteCount(of: streams[index].outbound),
                Self.maximumPayloadByteCount
            )
            guard byteCount > 0, let bytes = streams[index].waiting.readSlice(length: byteCount) else {
                return block(id, at: index, &streams)
            }
            var flags = HTTP2FrameFlags.none
            if case .data = streams[index].end, streams[index].waiting.readableBytes == 0 { flags = .endStream }
            output.writeFrameHeader(.data, byteCount, flags: flags, on: id)
            output.writeImmutableBuffer(bytes)
            written.dataWritten(byteCount)
            windows.sent(byteCount, on: &streams[index].outbound)
        }
        streams[index].waiting = ByteBuffer()
        if streams[index].isBlocked { unblock(id, &streams[index]) }
        switch streams[index].end {
        case .none: return
        case .data: break
        case .trailers(let trailers): writeHeaders(trailers, endStream: true, on: id)
        }
        sendingEnded(id, at: index, &streams)
    }

    private mutating func block(_ id: StreamID, at index: ServerStreams.Index, _ streams: inout ServerStreams) {
        guard !streams[index].isBlocked else { return }
        streams[index].isBlocked = true
        blocked.append(id)
    }

    private mutating func unblock(_ id: StreamID, _ stream: inout ServerStream) {
        stream.isBlocked = false
        if let position = blocked.firstIndex(of: id) { blocked.remove(at: position) }
    }

    /// Sends what a wider window of a stream permits.
    mutating func windowWidened(of id: StreamID, at index: ServerStreams.Index, _ streams: inout ServerStreams) {
        if streams[index].isBlocked { sendWaiting(id, at: index, &streams) }
    }

    /// Streams that got some of a wider window come last the next time.
    mutating func windowsWidened(_ streams: inout ServerStreams) {
        let waiting = blocked
        for id in waiting where windows.isConnectionOpen {
            guard let index = streams.index(of: id) else { continue }
            unblock(id, &streams[index])
            sendWaiting(id, at: index, &streams)
        }
    }

    private mutating func sendingEnded(_ id: StreamID, at index: ServerStreams.Index, _ streams: inout ServerStreams) {
        streams[index].isSending = false
        if !streams[index].isReceiving { streams.close(id, at: index) }
    }

    /// Forgets the DATA of a stream that was reset.
    mutating func forget(_ id: StreamID, _ stream: ServerStream) {
        var stream = stream
        windows.closed(stream.outbound)
        if stream.isBlocked { unblock(id, &stream) }
    }
}

/// The frames of answers that were written.
package struct WrittenFrames: Sendable {
    package fileprivate(set) var headersCount = 0
    package private(set) var dataCount = 0
    package private(set) var dataByteCount = 0

    package var isEmpty: Bool { headersCount == 0 && dataCount == 0 }

    fileprivate mutating func dataWritten(_ byteCount: Int) {
        dataCount += 1
        dataByteCount += byteCount
    }
}

extension ByteBuffer {
    /// Bytes in storage of their own, so that writing to this buffer does not copy all of it.
    fileprivate func copyBytes(at index: Int, length: Int) -> ByteBuffer {
        viewBytes(at: index, length: length).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
    }

    /// Sets the length of a frame that was written before its length was known.
    fileprivate mutating func setLength(_ byteCount: Int, ofFrameAt start: Int) {
        setInteger(UInt16(truncatingIfNeeded: byteCount), at: start + 1)
    }
}

/// A peer's windows for a connection and its streams, and DATA that waits for them (RFC 9113, section 5.2).
///
/// DATA may wait for two reasons. DATA beyond a stream's own window concerns no other stream. DATA within the streams'
/// windows shares the window of the connection, so only these bytes are compared with it.
struct OutboundWindows: Sendable {
    /// The initial window of a stream, and of the connection (RFC 9113, section 6.9.2).
    static let defaultSize = 65_535
    /// RFC 9113, section 6.9.1.
    static let maximumSize = Int(Int32.max)

    struct Stream: Sendable {
        /// The bytes that the stream may still send; negative if settings made the window smaller.
        fileprivate var window: Int
        fileprivate(set) var unsentByteCount = 0
        /// Whether no byte was sent since the last check for stalled streams, at which some waited.
        private var isSuspect = false

        fileprivate init(window: Int) { self.window = window }

        fileprivate var admittedByteCount: Int { max(0, min(window, unsentByteCount)) }

        fileprivate mutating func sent(_ byteCount: Int) {
            unsentByteCount -= byteCount
            window -= byteCount
            isSuspect = false
        }

        /// Whether bytes waited at the last check, and no byte was sent since.
        mutating func isStalled() -> Bool {
            let wasSuspect = isSuspect
            isSuspect = unsentByteCount > 0
            return wasSuspect && isSuspect
        }
    }

    /// The bytes that all streams together may send.
    private var connection = OutboundWindows.defaultSize
    /// The window of new streams, from the peer's settings.
    private var initial = OutboundWindows.defaultSize
    /// The bytes of DATA of all streams that were written and not yet sent.
    private(set) var unsentByteCount = 0
    private var admittedByteCount = 0

    init() {}

    func newStream() -> Stream { Stream(window: initial) }

    // MARK: Events

    mutating func written(_ byteCount: Int, on stream: inout Stream) {
        unsentByteCount += byteCount
        change(&stream) { $0.unsentByteCount += byteCount }
    }

    var isConnectionOpen: Bool { connection > 0 }

    func sendableByteCount(of stream: Stream) -> Int { max(0, min(stream.admittedByteCount, connection)) }

    /// DATA that was written before is sent now.
    mutating func sent(_ byteCount: Int, on stream: inout Stream) {
        unsentByteCount -= byteCount
        connection -= byteCount
        change(&stream) { $0.sent(byteCount) }
    }

    /// Takes the windows for DATA that is written and sent immediately, without overtaking waiting DATA.
    ///
    /// - Returns: Whether both windows have room for all of it.
    mutating func takeAtOnce(_ byteCount: Int, on stream: inout Stream) -> Bool {
        guard stream.unsentByteCount == 0 else { return false }
        guard byteCount > 0 else { return true }
        guard stream.window >= byteCount, connection - admittedByteCount >= byteCount else { return false }
        connection -= byteCount
        stream.window -= byteCount
        return true
    }

    mutating func closed(_ stream: Stream) {
        unsentByteCount -= stream.unsentByteCount
        admittedByteCount -= stream.admittedByteCount
    }

    /// Returns whether the connection's window is within the maximum.
    mutating func connectionWidened(by byteCount: Int) -> Bool {
        connection += byteCount
        return connection <= Self.maximumSize
    }

    /// Returns whether the stream's window is within the maximum.
    mutating func widened(by byteCount: Int, _ stream: inout Stream) -> Bool {
        change(&stream) { $0.window += byteCount }
        return stream.window <= Self.maximumSize
    }

    /// Sets the window of new streams. Those of open streams change by the difference.
    ///
    /// - Returns: The difference, for `widened`.
    mutating func initialWindowChanged(to size: Int) -> Int {
        defer { initial = size }
        return size - initial
    }

    private mutating func change(_ stream: inout Stream, _ change: (inout Stream) -> Void) {
        admittedByteCount -= stream.admittedByteCount
        change(&stream)
        admittedByteCount += stream.admittedByteCount
    }

    // MARK: Decisions

    /// Whether the first byte of a further message could be sent now. If messages are made only then, at most one
    /// message of each stream waits.
    func hasRoom(for stream: Stream) -> Bool {
        stream.window > stream.unsentByteCount && connection > admittedByteCount
    }

    /// Whether a part of the last message must wait, and a status would wait behind it.
    func isStuck(_ stream: Stream) -> Bool {
        stream.unsentByteCount > 0 && (stream.window < stream.unsentByteCount || connection < admittedByteCount)
    }
}
