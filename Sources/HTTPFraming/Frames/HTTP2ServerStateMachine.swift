package import NIOCore
package import NIOHPACK
package import RPCCore

/// The server's side of one HTTP/2 connection (RFC 9113): bytes in, events out, and frames out into one buffer.
///
/// `receive` takes the peer's bytes, and `nextEvent` returns their meaning. The functions of the extension answer calls. Both
/// write frames to the output, which the owner sends at the end of its turn.
///
/// It reads no clock, and counts only streams and windows. Its owner limits the rate of permitted frames. The reader of
/// a request's headers validates them.
package struct HTTP2ServerStateMachine: ~Copyable {
    private var reader = HTTP2FrameReader()
    private var blocks: HeaderBlockReader
    /// Whether the peer has not sent its settings yet. They are its first frame (section 3.4).
    package private(set) var areSettingsAwaited = true
    private var isAcknowledgementAwaited = true
    /// The bytes that the peer may still send on all streams together.
    package private(set) var inboundWindow = OutboundWindows.defaultSize
    /// Whether nothing more is read, because the peer broke a rule of the connection.
    private var hasEnded = false
    private(set) var streams: ServerStreams
    private var answers = AnswerWriter()

    /// - Parameters:
    ///   - maximumStreams: The maximum number of open streams.
    ///   - maximumHeaderListByteCount: The maximum size of a request's headers.
    package init(maximumStreams: Int, maximumHeaderListByteCount: Int) {
        streams = ServerStreams(maximumCount: maximumStreams)
        blocks = HeaderBlockReader(maximumListByteCount: maximumHeaderListByteCount)
        // All others have their defaults (section 6.5.2).
        answers.writeSettings([
            (.maximumConcurrentStreams, UInt32(clamping: maximumStreams)),
            (.maximumHeaderListSize, UInt32(clamping: maximumHeaderListByteCount)),
        ])
    }

    // MARK: Bytes

    /// Adds bytes in the order of their arrival.
    package mutating func receive(_ bytes: ByteBuffer) { reader.append(bytes) }

    /// Releases the buffer of the read, after the last event.
    package mutating func settleInput() { reader.settle() }

    /// Whether a frame, or headers with all their CONTINUATION frames, is incomplete.
    package var isInsideFrame: Bool { reader.isInsideFrame || blocks.isInsideBlock }

    package var inputByteCount: Int { reader.storageByteCount + blocks.storageByteCount }

    // MARK: Events

    package mutating func nextEvent() -> HTTP2Event? {
        guard !hasEnded else { return nil }
        do throws(ConnectionFault) {
            while let (header, payload) = try reader.next() {
                if let event = try received(header, payload) { return event }
            }
            return nil
        } catch {
            hasEnded = true
            return .connectionFault(error)
        }
    }

    private mutating func received(
        _ header: HTTP2FrameHeader,
        _ payload: ByteBuffer
    ) throws(ConnectionFault) -> HTTP2Event? {
        if areSettingsAwaited || blocks.isInsideBlock { try checkOrder(header) }
        switch header.type {
        case .data: return try receivedData(header, payload)
        case .headers: return try receivedHeaders(header, payload)
        case .continuation: return try receivedContinuation(header, payload)
        case .windowUpdate: return try receivedWindowUpdate(header, payload)
        case .reset: return try receivedReset(header)
        case .priority: return try receivedPriority(header)
        case .settings: return try receivedSettings(header, payload)
        case .ping: return try receivedPing(header, payload)
        case .goAway:
            guard header.stream == .control else { throw .protocolError("GOAWAY on a stream other than 0") }
            guard header.length >= 8 else { throw .wrongLength("GOAWAY has fewer than 8 bytes") }
            return .control
        // Clients never push (section 8.4).
        case .pushPromise: throw .protocolError("PUSH_PROMISE from a client")
        default: return .unknown
        }
    }

    /// Checks the frames that must immediately follow others.
    private func checkOrder(_ header: HTTP2FrameHeader) throws(ConnectionFault) {
        if blocks.isInsideBlock, header.type != .continuation {
            // Section 6.10.
            throw .protocolError("headers are not followed by CONTINUATION")
        }
        if areSettingsAwaited, header.type != .settings || header.flags.contains(.acknowledgement) {
            // Section 3.4.
            throw .protocolError("the first frame is not SETTINGS")
        }
    }

    // MARK: HEADERS

    private mutating func receivedHeaders(
        _ header: HTTP2FrameHeader,
        _ payload: ByteBuffer
    ) throws(ConnectionFault) -> HTTP2Event? {
        guard header.stream.isOfClient else { throw .protocolError("HEADERS with an even stream id") }
        var block = payload
        try block.removePadding(header)
        if header.flags.contains(.priority) {
            // The stream dependency and the weight, which have no effect (section 5.3.2).
            guard block.readableBytes >= 5 else { throw .wrongLength("HEADERS is too short for its priority") }
            block.moveReaderIndex(forwardBy: 5)
        }
        let endStream = header.flags.contains(.endStream)
        guard header.flags.contains(.endHeaders) else {
            blocks.began(block, on: header.stream, endStream: endStream)
            return nil
        }
        return try received(try blocks.decode(block), on: header.stream, endStream: endStream)
    }

    private mutating func receivedContinuation(
        _ header: HTTP2FrameHeader,
        _ payload: ByteBuffer
    ) throws(ConnectionFault) -> HTTP2Event? {
        let isLast = header.flags.contains(.endHeaders)
        let continued = try blocks.continued(payload, on: header.stream, isLast: isLast)
        guard let (block, endStream) = continued else { return nil }
        return try received(try blocks.decode(block), on: header.stream, endStream: endStream)
    }

    private mutating func received(
        _ list: HeaderList,
        on id: StreamID,
        endStream: Bool
    ) throws(ConnectionFault) -> HTTP2Event {
        guard id <= streams.highest else { return begin(id, list, endStream: endStream) }
        guard let index = streams.index(of: id) else {
            switch streams.absent(id) {
            case .discarded: return .discarded(byteCount: 0)
            // Section 5.1.1.
            case .idle: throw .protocolError("the stream id is not higher than the previous one")
            case .closed:
                guard streams.hasBegunAll else {
                    throw .protocolError("the stream id is not higher than the previous one")
                }
                throw .broken(.streamClosed, "HEADERS on a closed stream")
            }
        }
        // Section 5.1, "half-closed (remote)".
        guard streams[index].isReceiving else { return fault(id, .streamClosed) }
        // Section 8.1: only the last headers may come after the first ones.
        guard endStream else { return fault(id, .protocolError) }
        inputEnded(id, at: index)
        return .trailers(id, list)
    }

    private mutating func begin(_ id: StreamID, _ list: HeaderList, endStream: Bool) -> HTTP2Event {
        streams.began(id)
        // Section 6.8: later streams than the last GOAWAY's are not served. The client sends the call again elsewhere.
        if let last = streams.lastServed, id > last { return .discarded(byteCount: 0) }
        // Section 5.1.2. The peer may not have read the limit yet.
        guard !streams.isFull else {
            writeReset(id, .refusedStream)
            return .streamRefused(id)
        }
        streams.insert(ServerStream(isReceiving: !endStream, outbound: answers.windows.newStream()), id)
        return .request(id, list, endStream: endStream)
    }

    // MARK: DATA

    private mutating func receivedData(
        _ header: HTTP2FrameHeader,
        _ payload: ByteBuffer
    ) throws(ConnectionFault) -> HTTP2Event {
        let id = header.stream
        guard id != .control else { throw .protocolError("DATA on stream 0") }
        var bytes = payload
        try bytes.removePadding(header)
        // All of it counts, also padding and discarded bytes (section 6.9).
        inboundWindow -= header.length
        guard inboundWindow >= 0 else { throw .broken(.flowControlError, "DATA exceeds the connection's window") }
        guard let index = streams.index(of: id) else {
            switch streams.absent(id) {
            case .discarded: return .discarded(byteCount: header.length)
            case .idle: throw .protocolError("DATA on an idle stream")
            case .closed: throw .broken(.streamClosed, "DATA on a closed stream")
            }
        }
        guard streams[index].isReceiving else { return fault(id, .streamClosed) }
        streams[index].inboundWindow -= header.length
        guard streams[index].inboundWindow >= 0 else { return fault(id, .flowControlError) }
        let endStream = header.flags.contains(.endStream)
        if endStream {
            inputEnded(id, at: index)
        } else {
            try checkIsNotEmpty(bytes, at: index)
        }
        return .data(id, bytes, endStream: endStream)
    }

    /// Refuses consecutive frames without data, which cost the peer nothing of its windows (CVE-2019-9518).
    private mutating func checkIsNotEmpty(
        _ bytes: ByteBuffer,
        at index: ServerStreams.Index
    ) throws(ConnectionFault) {
        guard bytes.readableBytes == 0 else { return streams[index].emptyDataCount = 0 }
        streams[index].emptyDataCount += 1
        if streams[index].emptyDataCount > 1 { throw .flood("two empty DATA frames in a row") }
    }

    /// The peer sends nothing more on the stream.
    private mutating func inputEnded(_ id: StreamID, at index: ServerStreams.Index) {
        streams[index].isReceiving = false
        if !streams[index].isSending { streams.close(id, at: index) }
    }

    private mutating func receivedReset(_ header: HTTP2FrameHeader) throws(ConnectionFault) -> HTTP2Event {
        guard header.length == 4 else { throw .wrongLength("RST_STREAM does not have 4 bytes") }
        try checkHasBegun(header.stream, "RST_STREAM on an idle stream")
        guard let stream = streams.remove(header.stream) else { return .control }
        answers.forget(header.stream, stream)
        return .reset(header.stream)
    }

    private func receivedPriority(_ header: HTTP2FrameHeader) throws(ConnectionFault) -> HTTP2Event {
        guard header.stream != .control else { throw .protocolError("PRIORITY on stream 0") }
        // A fault of the stream, which may not have begun; the connection may end for it (section 5.4.2).
        guard header.length == 5 else { throw .wrongLength("PRIORITY does not have 5 bytes") }
        return .control
    }

    private func checkHasBegun(_ id: StreamID, _ message: String) throws(ConnectionFault) {
        guard id != .control, id.isOfClient, id <= streams.highest else { throw .protocolError(message) }
    }

    private mutating func fault(_ id: StreamID, _ code: HTTP2FaultCode) -> HTTP2Event {
        reset(id, code)
        return .streamFault(id)
    }

    // MARK: Windows

    private mutating func receivedWindowUpdate(
        _ header: HTTP2FrameHeader,
        _ payload: ByteBuffer
    ) throws(ConnectionFault) -> HTTP2Event {
        guard header.length == 4, let word: UInt32 = payload.getInteger(at: payload.readerIndex) else {
            throw .wrongLength("WINDOW_UPDATE does not have 4 bytes")
        }
        let increment = Int(word & StreamID.highest.rawValue)
        let id = header.stream
        guard id != .control else {
            guard increment > 0 else { throw .protocolError("WINDOW_UPDATE of 0") }
            guard answers.windows.connectionWidened(by: increment) else { throw .windowTooLarge }
            answers.windowsWidened(&streams)
            return .control
        }
        try checkHasBegun(id, "WINDOW_UPDATE on an idle stream")
        guard let index = streams.index(of: id) else { return .control }
        // Section 6.9 and 6.9.1.
        guard increment > 0 else { return fault(id, .protocolError) }
        guard answers.windows.widened(by: increment, &streams[index].outbound) else {
            return fault(id, .flowControlError)
        }
        answers.windowWidened(of: id, at: index, &streams)
        return .control
    }

    /// The bytes that the peer may still send on a stream; nil if it is not open.
    package func inboundWindow(of id: StreamID) -> Int? { streams.index(of: id).map { streams[$0].inboundWindow } }

    package mutating func openConnectionWindow(by byteCount: Int) {
        inboundWindow += byteCount
        answers.writeWindowUpdate(byteCount, on: .control)
    }

    package mutating func openWindow(by byteCount: Int, on id: StreamID) {
        guard let index = streams.index(of: id) else { return }
        streams[index].inboundWindow += byteCount
        answers.writeWindowUpdate(byteCount, on: id)
    }

    // MARK: The connection

    private mutating func receivedSettings(
        _ header: HTTP2FrameHeader,
        _ payload: ByteBuffer
    ) throws(ConnectionFault) -> HTTP2Event {
        guard header.stream == .control else { throw .protocolError("SETTINGS on a stream other than 0") }
        guard !header.flags.contains(.acknowledgement) else {
            guard header.length == 0 else { throw .wrongLength("the acknowledgement of SETTINGS has a payload") }
            guard isAcknowledgementAwaited else { throw .protocolError("SETTINGS is acknowledged twice") }
            isAcknowledgementAwaited = false
            return .control
        }
        areSettingsAwaited = false
        guard header.length.isMultiple(of: HTTP2SettingName.byteCount) else {
            throw .wrongLength("the length of SETTINGS is not a multiple of 6")
        }
        var rest = payload
        var windowSize: UInt32?
        while let (name, value) = rest.readMultipleIntegers(as: (UInt16, UInt32).self) {
            switch HTTP2SettingName(rawValue: name) {
            case .headerTableSize: answers.headerTableSizeChanged(to: value)
            case .enablePush where value > 1: throw .protocolError("SETTINGS_ENABLE_PUSH is neither 0 nor 1")
            case .initialWindowSize:
                guard value <= OutboundWindows.maximumSize else {
                    throw .broken(.flowControlError, "SETTINGS_INITIAL_WINDOW_SIZE is larger than 2^31-1")
                }
                // The last one counts. Moving all windows for each would cost much more than sending them.
                windowSize = value
            case .maximumFrameSize where !(16_384...16_777_215).contains(value):
                throw .protocolError("SETTINGS_MAX_FRAME_SIZE is not one of 16384 to 16777215")
            // This side never pushes, and its frames and headers are smaller than any peer may forbid.
            default: break
            }
        }
        if let windowSize { try initialWindowChanged(to: Int(windowSize)) }
        answers.writeSettingsAcknowledgement()
        return .settings
    }

    /// Moves the windows of all streams (section 6.9.2).
    private mutating func initialWindowChanged(to size: Int) throws(ConnectionFault) {
        let difference = answers.windows.initialWindowChanged(to: size)
        guard difference != 0 else { return }
        var areAllValid = true
        for index in streams.indices where !answers.windows.widened(by: difference, &streams[index].outbound) {
            areAllValid = false
        }
        guard areAllValid else { throw .windowTooLarge }
        answers.windowsWidened(&streams)
    }

    private mutating func receivedPing(
        _ header: HTTP2FrameHeader,
        _ payload: ByteBuffer
    ) throws(ConnectionFault) -> HTTP2Event {
        guard header.stream == .control else { throw .protocolError("PING on a stream other than 0") }
        guard header.length == 8, let data: UInt64 = payload.getInteger(at: payload.readerIndex) else {
            throw .wrongLength("PING does not have 8 bytes")
        }
        guard !header.flags.contains(.acknowledgement) else { return .pingAnswer(data) }
        answers.writePing(data, isAnswer: true)
        return .ping
    }
}

extension ConnectionFault {
    /// Section 6.9.1.
    fileprivate static let windowTooLarge = broken(.flowControlError, "a window is larger than 2^31-1")
}

extension ByteBuffer {
    /// Removes the padding of HEADERS or DATA (RFC 9113, section 6.1).
    fileprivate mutating func removePadding(_ header: HTTP2FrameHeader) throws(ConnectionFault) {
        guard header.flags.contains(.padded) else { return }
        guard let count: UInt8 = readInteger() else { throw .wrongLength("a padded frame is empty") }
        guard let rest = readSlice(length: readableBytes - Int(count)) else {
            throw .protocolError("the padding of a frame exceeds its length")
        }
        self = rest
    }
}

/// The frames of this side: the answers of calls, and those of the connection.
extension HTTP2ServerStateMachine {
    // MARK: Answers

    /// `endStream` means that nothing follows; such headers wait behind the stream's DATA.
    package mutating func sendHeaders(_ headers: HPACKHeaders, endStream: Bool, on id: StreamID) {
        answers.send(headers, endStream: endStream, on: id, &streams)
    }

    /// Sends bytes of a stream's body as far as the peer's windows permit it; the rest waits. `endStream` means that the
    /// answer ends with them. `write` appends the bytes.
    package mutating func sendData(endStream: Bool, on id: StreamID, _ write: (inout ByteBuffer) -> Void) {
        answers.sendData(endStream: endStream, on: id, &streams, write)
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
    private mutating func writeReset(_ id: StreamID, _ code: HTTP2FaultCode) {
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
        var stalled: [StreamID] = []
        for index in streams.indices where streams[index].outbound.isStalled() { stalled.append(streams.id(at: index)) }
        return stalled
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

/// The meaning of a client's frame. Answers that the protocol requires are already written.
package enum HTTP2Event {
    /// The headers of a new stream. `endStream` means that there is no body.
    case request(StreamID, HeaderList, endStream: Bool)
    /// The last headers of a stream, after its DATA. The peer sends nothing more on it.
    case trailers(StreamID, HeaderList)
    /// Bytes of a request's body, perhaps empty.
    case data(StreamID, ByteBuffer, endStream: Bool)
    /// The peer has reset an open stream.
    case reset(StreamID)
    /// The peer broke a rule of one stream, which this side has reset.
    case streamFault(StreamID)
    /// The stream exceeds the limit, and this side has reset it. Nothing of it has run.
    case streamRefused(StreamID)
    /// HEADERS or DATA of a stream that this side has reset, or no longer serves. `byteCount` is its part of the
    /// connection's window.
    case discarded(byteCount: Int)
    case settings
    /// A ping, which is answered.
    case ping
    case pingAnswer(UInt64)
    /// A frame that only changes the state of the connection: PRIORITY, RST_STREAM of a closed stream, WINDOW_UPDATE,
    /// GOAWAY, the acknowledgement of settings.
    case control
    /// A frame of an unknown type, which has no effect (RFC 9113, section 5.5).
    case unknown
    /// The peer broke a rule of the connection, which is no longer read.
    case connectionFault(ConnectionFault)
}

/// One open stream of a server's connection (RFC 9113, section 5.1).
///
/// It is "open" while both sides may send, and "half-closed" while one may. It leaves the table when both have ended.
struct ServerStream {
    /// The end of an answer that waits behind its DATA.
    enum WaitingEnd {
        case none
        /// The last DATA frame ends the stream.
        case data
        case trailers(HPACKHeaders)
    }

    var isReceiving: Bool
    /// The bytes that the peer may still send; negative if it has sent more.
    var inboundWindow = OutboundWindows.defaultSize
    /// The DATA frames without data since the last one with data.
    var emptyDataCount = 0

    var isSending = true
    var outbound: OutboundWindows.Stream
    /// The DATA that waits for the end of the turn, or for the peer's windows.
    var waiting = ByteBuffer()
    /// Whether it waits for the peer's windows.
    var isBlocked = false
    var end = WaitingEnd.none
}

/// The streams of a server's connection: the open ones, and the necessary facts about the others.
struct ServerStreams {
    typealias Index = Int

    private(set) var open = StreamTable<ServerStream>()
    let maximumCount: Int
    /// The highest stream of the peer's HEADERS.
    private(set) var highest = StreamID.control
    /// The highest stream that this side serves; later ones are ignored. Nil without such a limit.
    var lastServed: StreamID?
    /// The streams that both sides have ended, and that the owner has not yet taken.
    private(set) var closed: [StreamID] = []
    private var begunCount: UInt32 = 0
    /// The streams that this side has reset recently, the oldest first. Their peer may have sent more before it read
    /// that.
    private var recentlyReset: [StreamID] = []

    init(maximumCount: Int) { self.maximumCount = maximumCount }

    subscript(index: Index) -> ServerStream {
        _read { yield open.values[index] }
        _modify { yield &open.values[index] }
    }

    func index(of id: StreamID) -> Index? { open.index(of: id) }

    func id(at index: Index) -> StreamID { open.id(at: index) }

    /// Those of all open streams.
    var indices: Range<Index> { open.values.indices }

    var isFull: Bool { open.count >= maximumCount }

    // MARK: Changes

    mutating func began(_ id: StreamID) {
        highest = id
        begunCount += 1
    }

    mutating func insert(_ stream: ServerStream, _ id: StreamID) { open.insert(stream, id) }

    /// Removes a stream that was reset, if it is open.
    mutating func remove(_ id: StreamID) -> ServerStream? { open.remove(id) }

    mutating func close(_ id: StreamID, at index: Index) {
        open.remove(at: index)
        closed.append(id)
    }

    /// Returns each stream that both sides have ended once.
    mutating func nextClosed() -> StreamID? { closed.popLast() }

    mutating func wasReset(_ id: StreamID) {
        // Frames on older ones end the connection. They come within a round trip of the reset. In that time at most the
        // open streams are reset, and those that the client begins in their places.
        if recentlyReset.count / 2 >= maximumCount { recentlyReset.removeFirst() }
        recentlyReset.append(id)
    }

    // MARK: Streams that are not open

    /// The state of a stream that is not in the table.
    enum Absent {
        case idle
        /// This side has reset it, or refused to serve it. Frames of the peer may have crossed that.
        case discarded
        case closed
    }

    func absent(_ id: StreamID) -> Absent {
        if id > highest || !id.isOfClient { return .idle }
        if let lastServed, id > lastServed { return .discarded }
        return recentlyReset.contains(id) ? .discarded : .closed
    }

    /// Whether the peer has begun each stream up to the highest, so that absent ones are closed.
    var hasBegunAll: Bool { begunCount == (highest.rawValue + 1) / 2 }
}
