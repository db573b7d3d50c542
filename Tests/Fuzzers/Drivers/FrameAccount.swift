internal import Framing
package import NIOCore
package import RPCCore
package import RPCServer
internal import WireMessages

/// An account of a framed connection: every answer has a frame that asked for it, streams keep within the peer's credit, and
/// only a peer that sent Hello gets extensions.
package struct FrameAccount: AnswerAccount {
    package static let wire = ServerWire.framed
    package static let preface = ByteBuffer()
    package static let maximumMessageByteCount = 16
    package static let maximumInboundByteCount = 4 * 1024

    package static let limits: PeerLimits = {
        var limits = PeerLimits()
        limits.maximumStreams = 8
        limits.maximumFrameLength = 64
        limits.maximumHeldBytes = 1024
        return limits
    }()

    private struct Stream {
        var receivedCount = 0
        var answerCount = 0
        var messageCount = 0
        var grantedCount = 0
        var hasEnded = false
        var hasBegun = false
    }

    private enum Peer {
        case unknown
        case plain
        /// It has sent Hello. Credit 0 is no limit.
        case extended(initialCredit: UInt32)
        /// Its bytes are no frames.
        case foreign
    }

    private var peer = Peer.unknown
    private var input = ByteBuffer()
    private var decoder = FrameDecoder(maximumDataLength: limits.maximumFrameLength)
    private var pingCount = 0
    private var streams: [StreamID: Stream] = [:]

    package init() {}

    /// Returns the number of messages that a call was sent.
    package func messageCount(of id: StreamID) -> Int { streams[id]?.messageCount ?? 0 }

    // MARK: The peer

    package mutating func received(_ bytes: ByteBuffer) {
        input.writeImmutableBuffer(bytes)
        do throws(ConnectionError) {
            while let output = try decoder.next(from: &input) { received(output) }
        } catch {
            if case .unknown = peer { peer = .foreign }
        }
    }

    private mutating func received(_ output: FrameDecoder.Output) {
        let header = output.header
        streams[header.streamID, default: Stream()].receivedCount += 1
        var data = ByteBuffer()
        if case .frame(let frame) = output { data = frame.data }
        if case .unknown = peer {
            peer = .plain
            guard header.type == .hello, header.streamID == .connection,
                let hello = try? HelloMessage(decoding: data, limit: .request)
            else { return }
            peer = .extended(initialCredit: hello.initialCredit)
        }
        switch header.type {
        case .request where streams[header.streamID]?.hasBegun == false:
            // Frames before it were refused, and ended nothing.
            streams[header.streamID]?.hasBegun = true
            streams[header.streamID]?.hasEnded = false
        case .ping: pingCount += 1
        case .credit:
            let count: UInt32 = data.getInteger(at: data.readerIndex) ?? 0
            streams[header.streamID]?.grantedCount += Int(count)
        default: break
        }
    }

    // MARK: The server

    package mutating func breach(in output: ByteBuffer) -> String? {
        if case .foreign = peer { return nil }
        var (rest, reader) = (output, FrameDecoder())
        do throws(ConnectionError) {
            while let output = try reader.next(from: &rest) {
                if let breach = breach(in: output.header) { return breach }
            }
        } catch {
            return "the server sends what is no frame"
        }
        return rest.readableBytes == 0 ? nil : "the last frame of a turn is not whole"
    }

    private mutating func breach(in header: FrameHeader) -> String? {
        switch header.type {
        case .response, .data: return breach(on: header)
        case .hello, .goAway, .ping: break
        case .pong:
            pingCount -= 1
            guard pingCount >= 0 else { return "a Pong answers no Ping" }
        default: return "the server sends \(header.type)"
        }
        if case .extended = peer { return nil }
        return "a plain peer was sent \(header.type)"
    }

    private mutating func breach(on header: FrameHeader) -> String? {
        let id = header.streamID
        var stream = streams[id, default: Stream()]
        defer { streams[id] = stream }
        guard !stream.hasEnded || header.type == .response else { return "\(id) has ended, and is sent a message" }
        if header.type == .response || header.flags.contains(.remoteClosed) {
            stream.answerCount += 1
            guard stream.answerCount <= stream.receivedCount else { return "\(id) has more answers than frames" }
            stream.hasEnded = header.type == .data || stream.answerCount == stream.receivedCount
        }
        guard header.type == .data, !header.flags.contains(.noData) else { return nil }
        stream.messageCount += 1
        if case .extended(let credit) = peer, credit > 0, stream.messageCount > Int(credit) + stream.grantedCount {
            return "\(id) is sent \(stream.messageCount) messages, which is above its credit"
        }
        return nil
    }
}
