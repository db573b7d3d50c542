import Framing
import NIOCore
import WireMessages

/// Connections that introduce themselves, perhaps make a call, and then say nothing. They close when this is let go.
final class IdleConnections {
    private var connections: [IdleConnection] = []

    /// Returns when the server has answered every one of them.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - port: The server's port on this machine.
    ///   - call: The call that each makes once; nil: none, and only a server that answers Hello will do.
    init(count: Int, port: Int, call: Workload?) throws {
        var greeting = ByteBuffer()
        let hello = HelloMessage(version: 1, software: "marvel-bench")
        greeting.writeFrame(.hello, on: .connection, data: hello.encoded())
        for _ in 0..<count {
            let connection = try IdleConnection(port: port)
            try connection.send(greeting)
            if let call, let request = call.requests(connection: 0).first {
                var bytes = request.bytes
                bytes.withUnsafeMutableBytes { bytes in
                    if let start = bytes.baseAddress { request.write(to: start, stream: 1, call: .random(in: 0 ... .max)) }
                }
                try connection.send(ByteBuffer(bytes: bytes))
                try connection.awaitFrame { $0.streamID == 1 && ($0.type == .response || $0.flags.contains(.remoteClosed)) }
            } else {
                try connection.awaitFrame { $0.type == .hello }
            }
            connections.append(connection)
        }
    }
}

private final class IdleConnection {
    private let socket: Socket
    private var decoder = FrameDecoder()
    private var inbound = ByteBuffer()

    init(port: Int) throws { socket = try Socket(connectedTo: port) }

    func send(_ bytes: ByteBuffer) throws {
        try bytes.withUnsafeReadableBytes { try socket.send($0) }
    }

    func awaitFrame(where isWanted: (FrameHeader) -> Bool) throws {
        while true {
            while case .frame(let frame)? = try decoder.next(from: &inbound) {
                if isWanted(frame.header) {
                    inbound = ByteBuffer()
                    return
                }
            }
            try inbound.writeWithUnsafeMutableBytes(minimumWritableBytes: 4096) { try socket.receive(into: $0) }
        }
    }
}
