import MarvelDomain
import NIOCore
import RPCCore
import Testing
import WireClients
import WireMessages

@testable import RPCServer

@Suite(.timeLimit(.minutes(10)))
struct CallerEventTests {
    private func call(_ peer: WirePeer, _ metadata: [(String, String)] = []) async throws {
        for _ in 0..<3 { _ = try await peer.searchRefusal(metadata) }
    }

    private func counts(_ server: RPCServer) -> [CallerEvent: Int] {
        let counts = CallerEvent.allCases.map { ($0, server.count(of: $0)) }
        return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 })
    }

    /// Known callers once for each connection and token, and each call of others.
    @Test(arguments: Wire.ports)
    func callersAreCountedByHowTheyAreKnown(_ wire: Wire) async throws {
        let records = [
            TestToken.record(1, [.catalogRead]), TestToken.record(2, [.catalogRead], expiry: 1_799_999_999),
        ]
        try await GuardedServer.run(records) { guarded in
            for _ in 0..<2 {
                try await guarded.withPeer(wire) { peer in
                    try await call(peer)
                    try await call(peer, TestToken.metadata(TestToken.token(1)))
                    try await call(peer, TestToken.metadata(TestToken.token(2)))
                    try await call(peer, TestToken.metadata(TestToken.token(9)))
                }
            }
            let expected: [CallerEvent: Int] = [
                .anonymous: 2, .token: 2, .tokenMissing: 6, .tokenExpired: 6, .tokenInvalid: 6,
            ]
            #expect(counts(guarded.server) == expected)
        }
    }

    @Test func callersOnThisMachineAreCounted() async throws {
        try await Wire.framed.run { (server, _, peer) async throws in
            #expect(try await peer.call(Call("Echo")).error == nil)
            #expect(counts(server) == [.local: 1])
        }
    }
}
