import Framing
import NIOCore
import RPCCore
import WireClients
import WireMessages

/// A client that writes whatever bytes a test wants and reads frames, with no rules of its own.
final class RawPeer {
    private let socket: RawSocket
    private var inbound = ByteBuffer()
    private var decoder = FrameDecoder()

    var channel: any Channel { socket.channel }

    private init(_ socket: RawSocket) { self.socket = socket }

    /// - Parameters:
    ///   - address: The server's.
    ///   - reads: Whether it reads what the server sends.
    ///   - source: The address that it connects from; nil leaves it to the system.
    ///   - closesWithServer: Whether it closes its side as soon as the server has closed its own.
    /// - Returns: A connected peer that has sent nothing.
    /// - Throws: If nobody listens there.
    static func connect(
        to address: ServerAddress,
        reads: Bool = true,
        from source: SocketAddress? = nil,
        closesWithServer: Bool = true
    ) async throws -> RawPeer {
        RawPeer(
            try await RawSocket.connect(
                to: address,
                readingOnly: reads ? nil : 4_096,
                from: source,
                closesWithServer: closesWithServer
            )
        )
    }

    func send(_ bytes: ByteBuffer) async throws { try await socket.send(bytes) }

    func send(
        _ type: FrameType,
        on id: StreamID,
        flags: FrameFlags = [],
        _ data: ByteBuffer = ByteBuffer()
    ) async throws {
        var bytes = ByteBuffer()
        bytes.writeFrame(type, on: id, flags: flags, data: data)
        try await send(bytes)
    }

    func call(
        _ method: String,
        on id: StreamID,
        flags: FrameFlags = [],
        payload: ByteBuffer = ByteBuffer(),
        timeoutNanoseconds: Int64 = 0,
        service: String = TestService.name
    ) async throws {
        let request = RequestEnvelope(
            service: service,
            method: method,
            payload: payload,
            timeoutNanoseconds: timeoutNanoseconds,
            metadata: Metadata()
        )
        try await send(.request, on: id, flags: flags, request.encoded())
    }

    /// The next frame, or nil when the server has closed the connection.
    func nextFrame() async throws -> Frame? {
        while true {
            if case .frame(let frame)? = try decoder.next(from: &inbound) { return frame }
            guard let bytes = await socket.next() else { return nil }
            inbound.discardReadBytes()
            inbound.writeImmutableBuffer(bytes)
        }
    }

    /// All text until the server closes the connection, for a peer that speaks another protocol.
    func allText() async -> String {
        while let bytes = await socket.next() { inbound.writeImmutableBuffer(bytes) }
        return String(buffer: inbound)
    }

    /// The next frame's status, for a Response that must carry one.
    func nextStatus() async throws -> RPCError? {
        try await nextFrame()?.status
    }

    /// Begins to read, for a peer that was connected without.
    func startReading() async throws { try await socket.startReading() }

    func close() async throws { try await socket.close() }

    /// Leaves at once: the server sees a reset.
    func reset() async throws { try await socket.reset() }

    /// Ends this side of the connection only.
    func closeOutput() async throws { try await socket.closeOutput() }
}

extension Frame {
    /// The status of a Response; nil if it carries none, or is another frame.
    var status: RPCError? {
        get throws {
            guard header.type == .response else { return nil }
            return try ResponseEnvelope(decoding: data, limit: .response).status
        }
    }
}
