import Framing
import NIOCore
import RPCCore
import Testing
import WireMessages

/// The ways in which a peer misbehaves.
extension RawPeer {
    /// Sends Hello and reads the server's. An initial credit or a maximum of 0 means no limit.
    func sayHello(initialCredit: UInt32 = 0, maximumFrameLength: UInt32 = 0) async throws {
        try await send([.hello(initialCredit: initialCredit, maximumFrameLength: maximumFrameLength)])
        #expect(try await nextFrame()?.header.type == .hello)
    }

    /// Several frames in one piece.
    func send(_ frames: [Frame]) async throws {
        var bytes = ByteBuffer()
        for frame in frames {
            bytes.writeFrame(frame.header.type, on: frame.header.streamID, flags: frame.header.flags, data: frame.data)
        }
        try await send(bytes)
    }

    /// Everything until the server closes the connection.
    func allFrames() async throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try await nextFrame() { frames.append(frame) }
        return frames
    }
}

extension Frame {
    static func hello(initialCredit: UInt32 = 0, maximumFrameLength: UInt32 = 0) -> Frame {
        let message = HelloMessage(
            version: 1,
            software: "test",
            initialCredit: initialCredit,
            maximumFrameLength: maximumFrameLength
        )
        return Frame(.hello, on: .connection, data: message.encoded())
    }

    static func request(_ method: String, on id: StreamID, flags: FrameFlags = [], _ payload: String = "") -> Frame {
        let request = RequestEnvelope(
            service: TestService.name,
            method: method,
            payload: ByteBuffer(string: payload),
            timeoutNanoseconds: 0,
            metadata: .init()
        )
        return Frame(.request, on: id, flags: flags, data: request.encoded())
    }

    static func cancel(_ id: StreamID) -> Frame { Frame(.cancel, on: id) }

    static let ping = Frame(.ping, on: .connection, data: ByteBuffer(string: "12345678"))

    /// The reason of a GoAway; nil for another frame.
    var goAwayReason: String? {
        get throws { header.type == .goAway ? try GoAwayMessage(decoding: data, limit: .response).reason : nil }
    }
}

extension StreamID {
    /// The n-th stream of a client, counted from 0.
    static func number(_ number: Int) -> StreamID { StreamID(rawValue: UInt32(number * 2 + 1)) }
}
