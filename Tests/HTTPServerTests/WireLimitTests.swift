import NIOCore
import RPCClient
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// The limits of calls, and their ends when the server stops, over both wires.
@Suite(.timeLimit(.minutes(1)))
struct WireLimitTests {
    private func serve(
        _ wire: TestWire,
        _ configuration: ServerConfiguration = ServerConfiguration(),
        _ body: (RPCServer, WireClient) async throws -> Void
    ) async throws {
        try await HTTPTestServer.run(TestMethods(), configuration, wires: [wire == .framed ? .framed : .http]) {
            server in
            var options = RPCClientOptions()
            options.retries = nil
            let client = WireClient(wire, at: server.addresses[0], options: options)
            try await running {
                try await body(server, client)
            } finally: {
                await client.shutdown()
            }
        }
    }

    private static func path(_ method: String) -> MethodPath { MethodPath(service: "test.v1.Test", method: method) }

    private static func pairs(_ count: Int, bytes: Int) -> Metadata {
        var metadata = Metadata()
        for number in 0..<count { metadata.append("x-\(10 + number)", String(repeating: "v", count: bytes)) }
        return metadata
    }

    @Test(
        arguments: TestWire.allCases,
        [(64, 1, true), (65, 1, false), (1, 8_188, true), (1, 8_189, false)]
    )
    func metadataHasALimit(
        _ wire: TestWire,
        _ size: (pairs: Int, bytes: Int, isAccepted: Bool)
    ) async throws {
        try await serve(wire) { server, client in
            let metadata = Self.pairs(size.pairs, bytes: size.bytes)
            var failure: RPCError?
            do throws(RPCError) {
                _ = try await client.unary(Self.path("Echo"), ByteBuffer(bytes: [1]), metadata: metadata)
            } catch {
                failure = error
            }
            #expect(failure?.code == (size.isAccepted ? nil : .resourceExhausted))
            #expect(failure?.reason == (size.isAccepted ? nil : .metadataTooLarge))
            let bytes = size.pairs * (4 + size.bytes)
            let text = "metadata has \(size.pairs) pairs and \(bytes) bytes, maximum is 64 pairs and 8192 bytes"
            #expect(failure?.message == (size.isAccepted ? nil : text))
            #expect(failure?.info?.metadata["pairs"] == (size.isAccepted ? nil : "\(size.pairs)"))
            #expect(server.count(of: .malformedRequest) == (size.isAccepted ? 0 : 1))
        }
    }

    /// Reads messages until the stream ends.
    ///
    /// - Returns: The number of messages, and the error at the end.
    private static func rest(of stream: WireStream.Iterator) async -> (count: Int, error: RPCError?) {
        var count = 0
        do throws(RPCError) {
            while try await stream.next() != nil { count += 1 }
            return (count, nil)
        } catch {
            return (count, error)
        }
    }

    /// A stream of 1,000 messages of 10,000 bytes, which its caller does not read ahead.
    private func stream(of client: WireClient) -> WireStream.Iterator {
        client.serverStream(Self.path("Count"), ByteBuffer(bytes: HTTP2Peer.count(1_000, size: 10_000)))
            .makeAsyncIterator()
    }

    /// The error names the message from which to continue.
    @Test(arguments: TestWire.allCases)
    func aStreamThatIsNotReadEndsWithItsPlaceWhenTheServerStops(_ wire: TestWire) async throws {
        try await serve(wire) { server, client in
            let stream = stream(of: client)
            let first = try await stream.next()
            #expect(first != nil)
            server.stop()
            try await eventually { server.count(of: .draining) == 1 }
            let (count, error) = await Self.rest(of: stream)
            #expect((error?.code, error?.reason) == (.unavailable, .draining))
            #expect(error?.info?.metadata["number"] == "\(count + 1)")
        }
    }

    /// A call that runs is answered when the server stops.
    @Test(arguments: TestWire.allCases)
    func aCallThatRunsIsFinishedWhenTheServerStops(_ wire: TestWire) async throws {
        try await serve(wire) { server, client in
            async let answer = client.unary(Self.path("Slow"), ByteBuffer(bytes: [7]), timeout: .seconds(10))
            try await eventually { server.runningTaskCount == 1 }
            server.stop()
            #expect(try await answer == ByteBuffer(bytes: [7]))
        }
    }
}
