import Framing
import NIOCore
import RPCCore
import WireMessages

/// A connection that takes one thing after the other, for what need not be quick.
final class FrameClient {
    private let socket: Socket
    private var decoder = FrameDecoder()
    private var inbound = ByteBuffer()
    private var nextStream: UInt32 = 1

    init(port: Int) throws { socket = try Socket(connectedTo: port) }

    func sayHello() throws {
        var frame = ByteBuffer()
        let hello = HelloMessage(version: 1, software: "marvel-bench")
        frame.writeFrame(.hello, on: .connection, data: hello.encoded())
        try frame.withUnsafeReadableBytes { try socket.send($0) }
    }

    /// Makes the workload's call once, and waits for its end.
    ///
    /// - Parameter workload: What to ask for.
    /// - Returns: The frame that ended the call.
    /// - Throws: If the connection breaks.
    @discardableResult
    func call(_ workload: Workload) throws -> Frame {
        guard let request = workload.requests(connection: 0).first else { throw BenchmarkError("nothing to ask for") }
        return try call(request)
    }

    /// Sends a request, and waits for the end of the call.
    ///
    /// - Parameter request: The request.
    /// - Returns: The frame that ended the call.
    /// - Throws: If the connection breaks.
    @discardableResult
    func call(_ request: RequestTemplate) throws -> Frame {
        let (stream, number) = (nextStream, UInt64.random(in: 0 ... .max))
        nextStream += 2
        try withUnsafeTemporaryAllocation(byteCount: request.bytes.count, alignment: 8) { bytes in
            request.write(to: bytes.baseAddress.unsafelyUnwrapped, stream: stream, call: number)
            try socket.send(UnsafeRawBufferPointer(bytes))
        }
        return try awaitFrame { header in
            header.streamID.rawValue == stream && (header.type == .response || header.flags.contains(.remoteClosed))
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
