import Framing
import NIOCore
import RPCCore
import Testing
import WireClients
import WireMessages

@testable import RPCServer

/// A client that writes whatever bytes a test wants and reads frames, with no rules of its own.
final class RawPeer {
    private let socket: RawSocket
    private var inbound = ByteBuffer()
    private var decoder = FrameDecoder()

    private init(_ socket: RawSocket) { self.socket = socket }

    /// Returns a connected peer that has sent nothing.
    static func connect(to address: ServerAddress) async throws -> RawPeer {
        RawPeer(try await RawSocket.connect(to: address))
    }

    /// Connects to a server of the framed wire that runs for this test only.
    static func run(
        callers: Callers = .byAddress,
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (RPCServer, TestMethods, RawPeer) async throws -> Void
    ) async throws {
        try await Wire.framed.serve(callers: callers, configure) { server, methods in
            try await body(server, methods, try await connect(to: server.addresses[0]))
        }
    }

    // MARK: Sending

    func send(_ bytes: ByteBuffer) async throws { try await socket.send(bytes) }

    func send(
        _ type: FrameType,
        on id: StreamID,
        flags: FrameFlags = [],
        _ data: ByteBuffer = ByteBuffer()
    ) async throws {
        try await send([Frame(type, on: id, flags: flags, data: data)])
    }

    /// Sends several frames in one piece.
    func send(_ frames: [Frame]) async throws {
        var bytes = ByteBuffer()
        for frame in frames {
            bytes.writeFrame(frame.header.type, on: frame.header.streamID, flags: frame.header.flags, data: frame.data)
        }
        try await send(bytes)
    }

    /// Sends Hello and reads the server's. An initial credit or a maximum of 0 means no limit.
    func sayHello(
        initialCredit: UInt32 = 0,
        maximumFrameLength: UInt32 = 0,
        authorization: String = ""
    ) async throws {
        let hello = HelloMessage(
            version: 1,
            software: "test",
            initialCredit: initialCredit,
            maximumFrameLength: maximumFrameLength,
            authorization: authorization
        )
        try await send(.hello, on: .connection, hello.encoded())
        #expect(try await nextFrame()?.header.type == .hello)
    }

    // MARK: Receiving

    /// The next frame, or nil when the server has closed the connection.
    func nextFrame() async throws -> Frame? {
        while true {
            if case .frame(let frame)? = try decoder.next(from: &inbound) { return frame }
            guard let bytes = await socket.next() else { return nil }
            inbound.discardReadBytes()
            inbound.writeImmutableBuffer(bytes)
        }
    }

    /// The next frame's status, for a Response that must carry one.
    func nextStatus() async throws -> RPCError? { try await nextFrame()?.status }

    /// Everything until the server closes the connection.
    func allFrames() async throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try await nextFrame() { frames.append(frame) }
        return frames
    }

    /// All text until the server closes the connection, for a peer that speaks another protocol.
    func allText() async -> String {
        while let bytes = await socket.next() { inbound.writeImmutableBuffer(bytes) }
        return String(buffer: inbound)
    }

    // MARK: Leaving

    func close() async throws { try await socket.close() }

    /// Leaves at once: the server sees a reset.
    func reset() async throws { try await socket.reset() }
}

extension Frame {
    /// A call, of a method of `TestMethods` if only that is named.
    static func request(
        _ method: String,
        of service: String = TestMethods.name,
        on id: StreamID,
        flags: FrameFlags = [],
        _ payload: ByteBuffer = ByteBuffer(),
        timeoutNanoseconds: Int64 = 0,
        metadata: Metadata = Metadata()
    ) -> Frame {
        let request = RequestEnvelope(
            service: service,
            method: method,
            payload: payload,
            timeoutNanoseconds: timeoutNanoseconds,
            metadata: metadata
        )
        return Frame(.request, on: id, flags: flags, data: request.encoded())
    }

    /// The status of a Response; nil if it carries none, or is another frame.
    var status: RPCError? {
        get throws {
            guard header.type == .response else { return nil }
            return try ResponseEnvelope(decoding: data, limit: .response).status
        }
    }

    /// The reason of a GoAway; nil for another frame.
    var goAwayReason: String? {
        get throws { header.type == .goAway ? try GoAwayMessage(decoding: data, limit: .response).reason : nil }
    }
}

extension StreamID {
    /// The n-th stream of a client, counted from 0.
    static func number(_ number: Int) -> StreamID { StreamID(rawValue: UInt32(number * 2 + 1)) }
}
