import Framing
import MarvelDomain
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Testing
import WireClients
import WireMessages

/// An address that sends wrong tokens as fast as it can, over many connections.
@Suite(.timeLimit(.minutes(1)))
struct WrongTokenFloodTests {
    private static let path = MarvelServiceMethods.searchCharacters.path
    private static let search = SearchCharactersRequest(query: "spider", pageSize: 2, maxPages: 1).encoded()
    private static let (connections, tokensPerConnection) = (40, 500)

    /// The frames of calls, each with another wrong token.
    private static func frames() -> ByteBuffer {
        var bytes = ByteBuffer()
        for number in 0..<tokensPerConnection {
            let random = (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) }
            let envelope = RequestEnvelope(
                service: path.service,
                method: path.method,
                payload: search,
                timeoutNanoseconds: 0,
                metadata: TestToken.metadata(TokenText(random: random))
            )
            bytes.writeFrame(.request, on: .number(number), flags: [], data: envelope.encoded())
        }
        return bytes
    }

    /// Calls with a right token while thousands of wrong ones of another address are refused, until their connections are ended.
    /// How long a call takes is not judged.
    @Test func thousandsOfWrongTokensLeaveAnotherAddressAlone() async throws {
        var quotas = CallerQuotas()
        quotas.named = CallerLimits(callsPerSecond: 0, callBurst: 0, bytesPerSecond: 0)
        try await GuardedServer.run([TestToken.record(1, [.catalogRead])], quotas: quotas) { guarded in
            let source = try SocketAddress(ipAddress: "127.0.0.2", port: 0)
            let frames = Self.frames()
            var attackers: [RawPeer] = []
            for _ in 0..<Self.connections {
                let attacker = try await RawPeer.connect(to: guarded.address(.framed), from: source)
                #expect(attacker.channel.localAddress?.ipAddress == "127.0.0.2")
                attacker.channel.writeAndFlush(frames, promise: nil)
                attackers.append(attacker)
            }
            let metadata = TestToken.metadata(TestToken.token(1))
            try await guarded.withClient(.framed) { framed in
                try await guarded.withClient(.grpc) { grpc in
                    var calls = 0
                    while calls < 100 || guarded.server.count(of: .tooManyRejections) < Self.connections {
                        for client in [framed, grpc] {
                            let answer = await client.first(Self.path, Self.search, metadata)
                            #expect(answer.error == nil)
                        }
                        calls += 1
                    }
                }
            }
            let refused = CallerLimits.rejections.count + 1
            #expect(guarded.server.count(of: CallerEvent.tokenInvalid) == Self.connections * refused)
            for attacker in attackers { try? await attacker.reset() }
        }
    }
}
