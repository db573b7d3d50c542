package import Framing
package import NIOCore
package import RPCCore
package import WireMessages

/// The bytes of a client's connection: received bytes become events, and calls become bytes to send.
///
/// It is a value without a channel: its owner passes on what arrives, and sends `outbound` when it likes.
package struct ClientFraming: ~Copyable {
    /// The bytes to send. Its owner may append frames that concern no other call.
    package var outbound = ByteBuffer()
    private var machine: ClientConnectionStateMachine
    private var decoder: FrameDecoder
    private var inbound = ByteBuffer()

    /// Makes a connection whose first frame is Hello.
    package init(
        _ hello: HelloMessage,
        firstStreamID: StreamID = 1,
        maximumFrameLength: Int = FrameDecoder.protocolMaximum
    ) {
        machine = ClientConnectionStateMachine(firstStreamID: firstStreamID)
        decoder = FrameDecoder(maximumDataLength: maximumFrameLength)
        outbound.writeFrame(.hello, on: .connection, data: hello.encoded())
    }

    /// Whether the connection has no call and takes none, so that it can be closed.
    var isFinished: Bool { machine.isFinished }

    /// Whether a Pong is in `outbound`, or was taken from it and not reported with `pongSent`.
    var isPongUnsent: Bool { machine.isPongUnsent }

    // MARK: Calls

    /// Limits the number of calls that may be open at once; 0 is no limit. Only the owner knows whether it obeys Hello.
    package mutating func limitCalls(to maximum: UInt32) {
        machine.helloReceived(maximumStreams: maximum)
    }

    /// Opens a call. If the answer is `send`, the owner appends the Request.
    package mutating func openCall(_ kind: RPCMethod.Kind) -> CallOpening {
        machine.openCall(kind)
    }

    /// Ends a call that was opened, but whose Request was not appended.
    mutating func callNotSent(_ id: StreamID) {
        _ = machine.callAbandoned(id)
    }

    /// Cancels a call; no more of its events follow.
    package mutating func abandon(_ id: StreamID) {
        if machine.callAbandoned(id) == .sendCancel { outbound.writeFrame(.cancel, on: id) }
    }

    /// Notes that the connection is closed.
    ///
    /// - Returns: The calls that were open. It is unknown whether the server has run them.
    package mutating func connectionClosed() -> [StreamID] {
        machine.connectionClosed()
    }

    /// Notes that the Pong was sent: the next Ping is answered again.
    package mutating func pongSent() { machine.pongSent() }

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
        while let output = try decoder.next(from: &inbound) {
            let event =
                switch output {
                case .frame(let frame):
                    event(for: machine.frameReceived(frame), frame.data)
                case .oversized(let header, _):
                    event(
                        for: machine.oversizedFrameReceived(header, maximum: decoder.maximumDataLength),
                        ByteBuffer()
                    )
                }
            if let event { return event }
        }
        return nil
    }

    private mutating func event(
        for action: ClientConnectionStateMachine.OnFrame,
        _ data: ByteBuffer
    ) -> ClientConnectionEvent? {
        switch action {
        case .finishCall(let id):
            switch response(data) {
            case .success(let payload): return .answer(id, payload)
            case .failure(let error): return .failure(id, error)
            }
        case .finishStream(let id):
            switch response(data) {
            case .success(let payload):
                return payload.readableBytes > 0 ? .message(id, payload, isLast: true) : .end(id)
            case .failure(let error): return .failure(id, error)
            }
        case .deliver(let id, let isLast): return .message(id, data, isLast: isLast)
        case .endStream(let id): return .end(id)
        case .failCall(let id, let error, let isRunning):
            // Without it the call would hold its place on the server, and a stream its memory, until the connection ends.
            if isRunning { outbound.writeFrame(.cancel, on: id) }
            return .failure(id, error)
        case .readHello:
            let hello = try? HelloMessage(decoding: data, limit: .response)
            return hello.map { .ready(maximumStreams: $0.maximumStreams) }
        case .readGoAway: return goAway(data)
        case .sendPong: outbound.writeFrame(.pong, on: .connection, data: data)
        case .ignore: break
        }
        return nil
    }

    /// Decodes the Response of a call: its payload, or the reason why the call failed.
    private func response(_ data: ByteBuffer) -> Result<ByteBuffer, RPCError> {
        // Decoding all of it would take longer than the rest of a call that succeeds.
        if let payload = ResponseEnvelope.payload(ofSuccess: data) { return .success(payload) }
        do {
            let response = try ResponseEnvelope(decoding: data, limit: .response)
            return response.status.map { .failure($0) } ?? .success(response.payload)
        } catch {
            let text = "the server's answer cannot be read: \(error)"
            return .failure(RPCError(.internalError, reason: .responseInvalid, text))
        }
    }

    /// Handles a GoAway: the server is stopping, or ends this connection.
    private mutating func goAway(_ data: ByteBuffer) -> ClientConnectionEvent {
        let message =
            (try? GoAwayMessage(decoding: data, limit: .response))
            ?? GoAwayMessage(lastStreamID: StreamID.connection.rawValue, reason: "UNREADABLE")
        let dropped = machine.goAwayReceived(lastStreamID: StreamID(rawValue: message.lastStreamID))
        return .goAway(message, dropped: dropped)
    }
}
