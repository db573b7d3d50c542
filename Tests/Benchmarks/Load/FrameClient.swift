import Framing
import NIOCore
import RPCCore
import WireMessages

/// A connection that makes one call after the other, for what need not be quick.
final class FrameClient {
    private let socket: Socket
    private var decoder = FrameDecoder()
    private var inbound = ByteBuffer()
    private var lastStream: StreamID?

    init(port: Int) throws { socket = try Socket(connectedTo: port) }

    func sayHello() throws {
        var frame = ByteBuffer()
        let hello = HelloMessage(version: 1, software: "marvel-bench")
        frame.writeFrame(.hello, on: .connection, data: hello.encoded())
        try frame.withUnsafeReadableBytes { try socket.send($0) }
    }

    /// Makes a call, and waits for its end.
    ///
    /// - Returns: The frame that ended the call.
    @discardableResult
    func call(_ request: RequestEnvelope) throws -> Frame {
        try send(request)
        return try awaitEnd()
    }

    /// Makes calls that have to succeed, one after the other.
    func succeed(_ requests: [RequestEnvelope]) throws {
        for request in requests {
            let answer = try ResponseEnvelope(decoding: call(request).data, limit: .response)
            guard answer.status == nil else { throw BenchmarkError("\(request.method) failed") }
        }
    }

    /// Sends the request of a call, and with it the end of its stream if the answers are one.
    func send(_ request: RequestEnvelope, isStream: Bool = false) throws {
        let stream = StreamID(rawValue: (lastStream?.rawValue ?? 0) == 0 ? 1 : (lastStream?.rawValue ?? 0) + 2)
        lastStream = stream
        var frame = ByteBuffer()
        frame.writeFrame(.request, on: stream, flags: isStream ? .remoteClosed : [], data: request.encoded())
        try frame.withUnsafeReadableBytes { try socket.send($0) }
    }

    /// Waits for the end of the last call.
    ///
    /// - Returns: The frame that ended the call.
    @discardableResult
    func awaitEnd() throws -> Frame {
        try awaitFrame { [lastStream] header in
            header.streamID == lastStream && (header.type == .response || header.flags.contains(.remoteClosed))
        }
    }

    /// Waits for a frame, and forgets what came before and with it.
    ///
    /// - Parameter isWanted: Says whether this is the one.
    /// - Returns: The frame.
    /// - Throws: If the connection breaks.
    @discardableResult
    func awaitFrame(where isWanted: (FrameHeader) -> Bool) throws -> Frame {
        while true {
            while case .frame(let frame)? = try decoder.next(from: &inbound) {
                guard isWanted(frame.header) else { continue }
                inbound = ByteBuffer()
                return frame
            }
            try inbound.writeWithUnsafeMutableBytes(minimumWritableBytes: 4096) { try socket.receive(into: $0) }
        }
    }
}

/// Connections that introduce themselves and then say nothing. They close when this is let go.
final class IdleConnections {
    private var connections: [FrameClient] = []

    /// Returns when the server has answered every one of them.
    init(count: Int, port: Int) throws {
        for _ in 0..<count {
            let connection = try FrameClient(port: port)
            try connection.sayHello()
            try connection.awaitFrame { $0.type == .hello }
            connections.append(connection)
        }
    }
}
