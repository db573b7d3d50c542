import MarvelDomain
import NIOCore
import RPCClient
import RPCCore
import Testing
import WireClients
import WireMessages

@testable import RPCServer

@Suite(.timeLimit(.minutes(10)))
struct CallerEventTests {
    private static let path = MarvelServiceMethods.searchCharacters.path
    private static let search = SearchCharactersRequest(query: "spider", pageSize: 2, maxPages: 1).encoded()

    private func call(_ client: WireClient, _ metadata: Metadata = Metadata(), count: Int = 3) async {
        for _ in 0..<count { _ = await client.first(Self.path, Self.search, metadata) }
    }

    private func counts(_ server: RPCServer) -> [CallerEvent: Int] {
        let counts = CallerEvent.allCases.map { ($0, server.count(of: $0)) }
        return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 })
    }

    /// Known callers once for each connection and token, and each call of others.
    @Test(arguments: TestWire.allCases)
    func callersAreCountedByHowTheyAreKnown(_ wire: TestWire) async throws {
        let records = [
            TestToken.record(1, [.catalogRead]), TestToken.record(2, [.catalogRead], expiry: 1_799_999_999),
        ]
        try await GuardedServer.run(records) { guarded in
            for _ in 0..<2 {
                try await guarded.withClient(wire) { client in
                    await call(client)
                    await call(client, TestToken.metadata(TestToken.token(1)))
                    await call(client, TestToken.metadata(TestToken.token(2)))
                    await call(client, TestToken.metadata(TestToken.token(9)))
                }
            }
            let expected: [CallerEvent: Int] = [
                .anonymous: 2, .token: 2, .tokenMissing: 6, .tokenExpired: 6, .tokenInvalid: 6,
            ]
            #expect(counts(guarded.server) == expected)
        }
    }

    @Test func callersOnThisMachineAreCounted() async throws {
        try await TestServer.run { server in
            _ = try await server.echoOnce()
            #expect(counts(server.server) == [.local: 1])
        }
    }
}
