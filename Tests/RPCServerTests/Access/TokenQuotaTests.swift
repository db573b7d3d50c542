import MarvelDomain
import NIOCore
import RPCCore
import RPCServer
import Testing
import WireClients
import WireMessages

/// The quotas of callers with a name, and of those whose tokens are wrong.
@Suite(.timeLimit(.minutes(10)))
struct TokenQuotaTests {
    private static let records = [
        TestToken.record(1, [.catalogRead], name: "one"), TestToken.record(2, [.catalogRead], name: "one"),
        TestToken.record(3, [.catalogRead], name: "other"),
    ]

    /// Calls again and again.
    ///
    /// - Returns: The reasons, without repetitions: nil for answers.
    private func reasons(_ peer: WirePeer, token: UInt8, count: Int) async throws -> [ErrorReason?] {
        var reasons: [ErrorReason?] = []
        let metadata = TestToken.metadata(TestToken.token(token))
        for _ in 0..<count {
            // As a single call its answer is kept, and given again.
            let reason = try await peer.searchRefusal(metadata)
            if reasons.last != .some(reason) { reasons.append(reason) }
        }
        return reasons
    }

    private static func quotas(named: Int = 1_000, anonymous: Int = 1_000) -> CallerQuotas {
        var quotas = CallerQuotas()
        quotas.named = CallerLimits(callsPerSecond: 1, callBurst: named, bytesPerSecond: 0)
        quotas.anonymous = CallerLimits(callsPerSecond: 1, callBurst: anonymous, bytesPerSecond: 0)
        return quotas
    }

    @Test(arguments: Wire.ports)
    func allTokensAndConnectionsOfANameShareItsQuota(_ wire: Wire) async throws {
        try await GuardedServer.run(Self.records, quotas: Self.quotas(named: 20)) { guarded in
            try await guarded.withPeer(wire) { (peer) async throws in
                #expect(try await reasons(peer, token: 1, count: 20) == [nil])
                #expect(try await reasons(peer, token: 2, count: 10).contains(.rateLimit))
                #expect(try await reasons(peer, token: 3, count: 20) == [nil], "another name, on the same connection")
                #expect(try await reasons(peer, token: 1, count: 10).contains(.rateLimit))
            }
            try await guarded.withPeer(wire) { (peer) async throws in
                #expect(try await reasons(peer, token: 1, count: 10).contains(.rateLimit))
            }
        }
    }

    /// Wrong tokens are calls of their address.
    @Test(arguments: Wire.ports)
    func wrongTokensCountForTheQuotaOfTheirAddress(_ wire: Wire) async throws {
        try await GuardedServer.run(Self.records, quotas: Self.quotas(anonymous: 10), callers: .one) { guarded in
            try await guarded.withPeer(wire) { (peer) async throws in
                #expect(try await reasons(peer, token: 9, count: 10) == [.tokenInvalid])
                #expect(try await reasons(peer, token: 9, count: 5).contains(.rateLimit))
                #expect(
                    try await reasons(peer, token: 1, count: 20) == [nil],
                    "the limit does not apply to named callers"
                )
            }
        }
    }
}
