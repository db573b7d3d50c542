import NIOCore
import RPCClient
import RPCCore
import Testing

@testable import RPCServer

/// Clients of the framed port that call another one. For clients of HTTP at the framed port, see `OpeningTests`.
@Suite(.timeLimit(.minutes(10)))
struct WrongPortTests {
    @Test(arguments: [Wire.gRPC, .pages]) func aClientOfTheFramedPortLearnsThatThisIsAnother(_ wire: Wire) async throws
    {
        try await wire.serve { (server, _) async throws in
            let client = RPCClient(addresses: server.addresses)
            let error = await #expect(throws: RPCError.self) {
                _ = try await client.unary(MethodPath(service: "test.v1.Test", method: "Echo"), ByteBuffer(string: "x"))
            }
            #expect(error?.reason == .serverUnreachable)
            #expect(error?.message.hasSuffix("this is an HTTP port: use the framed port, by default 6160") == true)
            #expect(server.count(of: .malformedRequest) == 1)
            await client.shutdown()
        }
    }
}
