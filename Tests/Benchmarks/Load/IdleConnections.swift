import Framing

/// Connections that introduce themselves, perhaps make a call, and then say nothing. They close when this is let go.
final class IdleConnections {
    private var connections: [FrameClient] = []

    /// Returns when the server has answered every one of them.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - port: The server's port on this machine.
    ///   - call: The call that each makes once; nil: none, and only a server that answers Hello will do.
    /// - Throws: If a connection cannot be made, or breaks.
    init(count: Int, port: Int, call: Workload?) throws {
        for _ in 0..<count {
            let connection = try FrameClient(port: port)
            try connection.sayHello()
            if let call { try connection.call(call) } else { try connection.awaitFrame { $0.type == .hello } }
            connections.append(connection)
        }
    }
}
