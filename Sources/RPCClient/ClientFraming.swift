internal import Framing
package import NIOCore
package import RPCCore
package import WireMessages

/// The client's side of one connection: received bytes become events of its calls, and calls become bytes to send.
///
///     active ──GoAway──▶ draining ──last call ended──▶ finished
///        └───────────────connection closed──────────────▲
///
/// It is a value without a channel: its owner passes on what arrives, and sends `outbound` when it likes.
package struct ClientFraming: ~Copyable {
    /// A plain ttrpc server never sends a limit, so it keeps this one. gRPC's clients assume the same.
    private static let assumedCallLimit = 100
    /// Three quarters of the range: the connection is retired long before the ids end.
    private static let lastUsableID = StreamID(rawValue: 0xC000_0001)

    /// The bytes to send. Its owner may append frames that concern no other call.
    package var outbound = ByteBuffer()
    private var decoder: FrameDecoder
    private var inbound = ByteBuffer()
    private var nextStreamID: StreamID
    private var open: [StreamID: RPCMethod.Kind] = [:]
    private var callLimit = ClientFraming.assumedCallLimit
    private var isGreeted = false
    /// Whether a Pong is in `outbound`, or was taken from it and not reported with `pongSent`.
    private(set) var isPongUnsent = false
    /// Whether open calls finish, and new ones need another connection.
    private var isDraining = false
    private var isClosed = false

    /// Makes a connection whose first frame is Hello. The first stream id is odd; other than 1 only in tests.
    package init(
        _ hello: HelloMessage,
        firstStreamID: StreamID = 1,
        maximumFrameLength: Int = FrameDecoder.protocolMaximum
    ) {
        precondition(firstStreamID.isOdd, "the stream id is even; a client must use odd ids")
        nextStreamID = firstStreamID
        decoder = FrameDecoder(maximumDataLength: maximumFrameLength)
        outbound.writeFrame(.hello, on: .connection, data: hello.encoded())
    }

    /// Whether calls may be opened: until GoAway, the last usable id, or the end of the connection.
    package var acceptsCalls: Bool { !isDraining && !isClosed && nextStreamID <= Self.lastUsableID }

    /// Whether the connection has no call and takes none, so that it can be closed.
    package var isFinished: Bool { !acceptsCalls && open.isEmpty }

    // MARK: Calls

    /// Limits the number of calls that may be open at once; 0 is no limit. Only the owner knows whether it obeys Hello.
    /// Calls beyond a lower limit stay open.
    package mutating func limitCalls(to maximum: UInt32) { callLimit = maximum == 0 ? .max : Int(maximum) }

    /// Opens a call. If the answer is `send`, the owner appends the Request.
    package mutating func openCall(_ kind: RPCMethod.Kind) -> CallOpening {
        guard acceptsCalls else { return .refuse }
        guard open.count < callLimit else { return .wait }
        let id = nextStreamID
        nextStreamID = StreamID(rawValue: id.rawValue + 2)
        open[id] = kind
        return .send(id)
    }

    /// Refuses further calls, as after a GoAway.
    mutating func takeNoMoreCalls() { isDraining = true }

    /// Ends a call that was opened, but whose Request was not appended.
    mutating func callNotSent(_ id: StreamID) { open[id] = nil }

    /// Cancels a call, unless it is over; no more of its events follow. A plain ttrpc server ignores Cancel, ours stops the
    /// call.
    package mutating func abandon(_ id: StreamID) {
        if open.removeValue(forKey: id) != nil { outbound.writeFrame(.cancel, on: id) }
    }

    /// Notes that the connection is closed.
    ///
    /// - Returns: The calls that were open. It is unknown whether the server has run them.
    package mutating func connectionClosed() -> [StreamID] {
        isClosed = true
        return endCalls(after: 0)
    }

    /// Notes that the Pong was sent: the next Ping is answered again.
    package mutating func pongSent() { isPongUnsent = false }

    private mutating func endCalls(after id: StreamID) -> [StreamID] {
        let dropped = open.keys.filter { $0 > id }.sorted()
        for id in dropped { open[id] = nil }
        return dropped
    }

    // MARK: Frames

    /// Takes received bytes. Their events are read with `nextEvent`.
    package mutating func receive(_ bytes: ByteBuffer) {
        if inbound.readableBytes == 0 {
            inbound = bytes
        } else {
            inbound.discardReadBytes()
            inbound.writeImmutableBuffer(bytes)
        }
    }

    /// Reads frames up to the next event. Pings are answered here.
    ///
    /// - Returns: The event; nil if more bytes have to arrive first.
    /// - Throws: The reason why nothing more can be read from this connection.
    package mutating func nextEvent() throws(ConnectionError) -> ClientConnectionEvent? {
        while !isClosed, let output = try decoder.next(from: &inbound) {
            let event =
                switch output {
                case .frame(let frame): received(frame)
                case .oversized(let header, let maximum): receivedOversized(header, maximum: maximum)
                }
            if let event { return event }
        }
        return nil
    }

    private mutating func received(_ frame: Frame) -> ClientConnectionEvent? {
        let id = frame.header.streamID
        switch frame.header.type {
        case .response: return receivedResponse(frame.data, on: id)
        case .data: return receivedData(frame.header, frame.data)
        case .hello:
            // A second Hello changes nothing.
            guard id == .connection, !isGreeted else { return nil }
            isGreeted = true
            let hello = try? HelloMessage(decoding: frame.data, limit: .response)
            return hello.map { .ready(maximumStreams: $0.maximumStreams) }
        case .goAway: return id == .connection ? receivedGoAway(frame.data) : nil
        case .ping:
            // Only one Pong is queued for a server that does not read.
            guard frame.isPing, !isPongUnsent else { return nil }
            isPongUnsent = true
            outbound.writeFrame(.pong, on: .connection, data: frame.data)
            return nil
        default: return nil
        }
    }

    private mutating func receivedResponse(_ data: ByteBuffer, on id: StreamID) -> ClientConnectionEvent? {
        // It can cross our Cancel: a call that is not open is over.
        guard let kind = open.removeValue(forKey: id) else { return nil }
        do throws(RPCError) {
            let payload = try Self.payload(ofResponse: data)
            guard kind != .unary else { return .answer(id, payload) }
            // Servers of ttrpc 1.1 answer every call with one Response, which holds the last message of a stream.
            return payload.readableBytes > 0 ? .message(id, payload, isLast: true) : .end(id)
        } catch {
            return .failure(id, error)
        }
    }

    /// Decodes the Response of a call.
    ///
    /// - Throws: The reason why the call failed.
    private static func payload(ofResponse data: ByteBuffer) throws(RPCError) -> ByteBuffer {
        // Decoding all of it would take longer than the rest of a call that succeeds.
        if let payload = ResponseEnvelope.payload(ofSuccess: data) { return payload }
        let response: ResponseEnvelope
        do {
            response = try ResponseEnvelope(decoding: data, limit: .response)
        } catch {
            let text = "the server's answer cannot be read: \(error)"
            throw RPCError(.internalError, reason: .responseInvalid, text)
        }
        if let error = response.status { throw error }
        return response.payload
    }

    private mutating func receivedData(_ header: FrameHeader, _ data: ByteBuffer) -> ClientConnectionEvent? {
        let id = header.streamID
        guard let kind = open[id] else { return nil }
        guard kind == .serverStreaming else {
            let message = "the server streamed the answer of a unary call"
            return fail(header, RPCError(.internalError, reason: .responseInvalid, message))
        }
        let isLast = header.flags.contains(.remoteClosed)
        if isLast { open[id] = nil }
        guard header.flags.contains(.noData) else { return .message(id, data, isLast: isLast) }
        return isLast ? .end(id) : nil
    }

    /// Its call fails, the others continue.
    private mutating func receivedOversized(_ header: FrameHeader, maximum: Int) -> ClientConnectionEvent? {
        guard header.type == .response || header.type == .data else { return nil }
        return fail(header, Refusal.frameTooLarge(byteCount: Int(header.length), maximum: maximum).error)
    }

    private mutating func fail(_ header: FrameHeader, _ error: RPCError) -> ClientConnectionEvent? {
        guard open.removeValue(forKey: header.streamID) != nil else { return nil }
        // The server continues the call unless this is its end. Without Cancel it would hold its place there, and a stream
        // its memory, until the connection ends.
        if header.type == .data, !header.flags.contains(.remoteClosed) {
            outbound.writeFrame(.cancel, on: header.streamID)
        }
        return .failure(header.streamID, error)
    }

    /// Handles a GoAway: the server is stopping, or ends this connection. It never started the calls after the last one that
    /// it names, so they can be sent to another server.
    private mutating func receivedGoAway(_ data: ByteBuffer) -> ClientConnectionEvent {
        let message =
            (try? GoAwayMessage(decoding: data, limit: .response))
            ?? GoAwayMessage(lastStreamID: StreamID.connection.rawValue, reason: "UNREADABLE")
        isDraining = true
        return .goAway(message, dropped: endCalls(after: StreamID(rawValue: message.lastStreamID)))
    }
}

package enum CallOpening: Sendable, Hashable {
    case send(StreamID)
    /// The server's limit of open calls is reached: try again when one has ended.
    case wait
    case refuse
}
