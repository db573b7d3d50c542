package import NIOCore
package import RPCClient
package import RPCCore

/// The wires over which tests call a server.
package enum TestWire: Sendable, CaseIterable {
    case framed
    case grpc
}

/// A client of one server: our own over the framed wire, and a plain one of the tests over gRPC.
package final class WireClient: Sendable {
    fileprivate enum Kind: Sendable {
        case framed(RPCClient)
        case grpc(GRPCPeer)
    }

    fileprivate let kind: Kind

    /// - Parameters:
    ///   - wire: The wire.
    ///   - address: The address at which the server speaks it.
    ///   - options: The options of our own client. The other one repeats no call, and has none.
    package init(_ wire: TestWire, at address: ServerAddress, options: RPCClientOptions = RPCClientOptions()) {
        kind =
            switch wire {
            case .framed: .framed(RPCClient(addresses: [address], options: options))
            case .grpc: .grpc(GRPCPeer(address))
            }
    }

    package func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration? = nil,
        metadata: Metadata = Metadata()
    ) async throws(RPCError) -> ByteBuffer {
        switch kind {
        case .framed(let client):
            return try await client.unary(method, request, timeout: timeout, metadata: metadata)
        case .grpc(let peer):
            let call = try await GRPCCall(peer, method, request, timeout: timeout, metadata: metadata)
            let answer = try await call.next()
            guard let answer, try await call.next() == nil else {
                throw RPCError(.internalError, "the call has not exactly one answer")
            }
            return answer
        }
    }

    package func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration? = nil,
        metadata: Metadata = Metadata()
    ) -> WireStream {
        WireStream(client: self, method: method, request: request, timeout: timeout, metadata: metadata)
    }

    package func shutdown() async {
        switch kind {
        case .framed(let client): await client.shutdown()
        case .grpc(let peer): await peer.disconnect()
        }
    }
}

/// The messages of a stream. Iterating makes the call, and releasing the iterator cancels it.
package struct WireStream: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer
    package typealias Failure = RPCError

    fileprivate let client: WireClient
    fileprivate let method: MethodPath
    fileprivate let request: ByteBuffer
    fileprivate let timeout: Duration?
    fileprivate let metadata: Metadata

    package func makeAsyncIterator() -> Iterator { Iterator(self) }

    package final class Iterator: AsyncIteratorProtocol {
        private let stream: WireStream
        private var framed: RPCResponseStream.Iterator?
        private var call: GRPCCall?

        fileprivate init(_ stream: WireStream) { self.stream = stream }

        package func next() async throws(RPCError) -> ByteBuffer? {
            switch stream.client.kind {
            case .framed(let client):
                let iterator =
                    framed
                    ?? client.serverStream(
                        stream.method,
                        stream.request,
                        timeout: stream.timeout,
                        metadata: stream.metadata
                    ).makeAsyncIterator()
                framed = iterator
                return try await iterator.next()
            case .grpc(let peer):
                if call == nil {
                    call = try await GRPCCall(
                        peer,
                        stream.method,
                        stream.request,
                        timeout: stream.timeout,
                        metadata: stream.metadata
                    )
                }
                return try await call?.next()
            }
        }

        package func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> ByteBuffer? {
            try await next()
        }
    }
}
