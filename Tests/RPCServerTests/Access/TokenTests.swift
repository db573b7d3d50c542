import Framing
import MarvelDomain
import NIOCore
import RPCCore
import RPCServer
import Testing
import WireClients
import WireMessages

/// Tokens that are wrong, expired or revoked, over both wires.
@Suite(.timeLimit(.minutes(10)))
struct TokenTests {
    private static let good = TestToken.token(1)

    /// A bad token is worse than none: what strangers may do, its owner may not.
    @Test func aBadTokenNeverFallsBack() async throws {
        let records = [
            TestToken.record(1, [.catalogRead]), TestToken.record(2, [.catalogRead], expiry: 1_799_999_999),
        ]
        let bad: [(String, ErrorReason)] = [
            ("Bearer \(TestToken.token(9).secret)", .tokenInvalid), ("Bearer", .tokenInvalid), ("", .tokenInvalid),
            ("Basic dXNlcjpwYXNz", .tokenInvalid), (Self.good.secret, .tokenInvalid),
            ("Bearer \(Self.good.secret.dropLast())", .tokenInvalid), ("Bearer \(Self.good.secret)x", .tokenInvalid),
            ("Bearer \(Self.good.secret) \(Self.good.secret)", .tokenInvalid),
            ("Bearer " + String(repeating: "A", count: 4_000), .tokenInvalid),
            ("Bearer \(TestToken.token(2).secret)", .tokenExpired),
        ]
        try await GuardedServer.run(anonymous: [.catalogRead], records) { guarded in
            for wire in Wire.ports {
                try await guarded.withPeer(wire) { (peer) async throws in
                    #expect(try await peer.searchRefusal(isStream: true) == nil)
                    for (text, expected) in bad {
                        let reason = try await peer.searchRefusal(TestToken.metadata(text), isStream: true)
                        #expect(reason == expected, "\(wire) \(text.prefix(20))")
                    }
                    #expect(try await peer.searchRefusal(TestToken.metadata(Self.good), isStream: true) == nil)
                    let two = TestToken.metadata(Self.good) + TestToken.metadata(Self.good)
                    #expect(try await peer.searchRefusal(two, isStream: true) == .tokenInvalid)
                }
            }
        }
    }

    /// The token is remembered for the connection, and its calls are refused as soon as it is.
    @Test func aCallIsRefusedAfterItsTokenIsRevokedOrExpires() async throws {
        let records = [TestToken.record(1, [.catalogRead], expiry: 1_800_000_100)]
        try await GuardedServer.run(records) { guarded in
            for wire in Wire.ports {
                try await guarded.withPeer(wire) { (peer) async throws in
                    let metadata = TestToken.metadata(Self.good)
                    for _ in 0..<5 { #expect(try await peer.searchRefusal(metadata) == nil) }
                    guarded.access.replace(TokenTable())
                    for _ in 0..<2 { #expect(try await peer.searchRefusal(metadata) == .tokenInvalid) }
                    guarded.access.replace(TokenTable(records))
                    for _ in 0..<5 { #expect(try await peer.searchRefusal(metadata) == nil) }
                    guarded.clock.set(1_800_000_100)
                    guarded.access.noticeExpiries()
                    for _ in 0..<2 { #expect(try await peer.searchRefusal(metadata) == .tokenExpired) }
                    guarded.clock.set(1_800_000_000)
                    guarded.access.replace(TokenTable())
                    guarded.access.replace(TokenTable(records))
                }
            }
        }
    }

    /// A call in the last second of a token is decided again, without anybody noticing the expiry before.
    @Test func anExpiryNeedsNoNotice() async throws {
        let records = [TestToken.record(1, [.catalogRead], expiry: 1_800_000_001)]
        try await GuardedServer.run(records) { guarded in
            for wire in Wire.ports {
                try await guarded.withPeer(wire) { (peer) async throws in
                    let metadata = TestToken.metadata(Self.good)
                    for _ in 0..<3 { #expect(try await peer.searchRefusal(metadata, isStream: true) == nil) }
                    guarded.clock.set(1_800_000_001)
                    #expect(try await peer.searchRefusal(metadata, isStream: true) == .tokenExpired)
                    guarded.clock.set(1_800_000_000)
                    guarded.access.replace(TokenTable())
                    guarded.access.replace(TokenTable(records))
                }
            }
        }
    }

    // MARK: Watches

    /// Begins a watch with a token, makes a change when it has sent its snapshot, and returns the error with which it ends.
    private func error(_ peer: WirePeer, _ token: TokenText, after change: () -> Void) async throws -> RPCError? {
        let request = WatchFavoritesRequest(list: "reading").encoded()
        var call = Call(MarvelServiceMethods.watchFavorites.path, request, isStream: true)
        call.metadata = TestToken.metadata(token)
        let number = try await peer.send(call)
        #expect(try await peer.message(of: number) != nil)
        change()
        return try await peer.answer(to: number).error
    }

    enum Change: CaseIterable {
        case revoked, replaced, expired
    }

    @Test(arguments: Wire.ports, Change.allCases)
    func aWatchEndsWithItsToken(_ wire: Wire, _ change: Change) async throws {
        let scope = Scope.listsRead(.all)
        let own = TestToken.record(1, [scope], expiry: 1_800_000_050)
        let other = TestToken.record(3, [scope])
        // The record keeps its identifier, its name and its scopes, and has another token.
        var replaced = own
        replaced.digest = TestToken.token(2).digest
        try await GuardedServer.run([own, other]) { guarded in
            try await guarded.withPeer(wire) { peer in
                let error = try await error(peer, TestToken.token(1)) {
                    switch change {
                    case .revoked: guarded.access.replace(TokenTable([other]))
                    case .replaced: guarded.access.replace(TokenTable([replaced, other]))
                    case .expired:
                        guarded.clock.set(1_800_000_050)
                        guarded.access.noticeExpiries()
                    }
                    // Without the change it would end here.
                    guarded.server.stop()
                }
                #expect(error?.code == .unauthenticated)
                #expect(error?.reason == (change == .expired ? .tokenExpired : .tokenInvalid))
                #expect(guarded.server.count(of: .accessEnded) == 1)
            }
        }
    }

    /// Changes that do not concern a token leave its watches alone: they end with the server.
    @Test(arguments: Wire.ports)
    func aWatchSurvivesChangesOfOtherTokens(_ wire: Wire) async throws {
        let own = TestToken.record(1, [.listsRead(.all)])
        try await GuardedServer.run([own, TestToken.record(2, [.admin])]) { guarded in
            try await guarded.withPeer(wire) { peer in
                let error = try await error(peer, TestToken.token(1)) {
                    guarded.access.replace(TokenTable([own]))
                    guarded.server.stop()
                }
                #expect(error?.reason == .draining)
                #expect(guarded.server.count(of: .accessEnded) == 0)
            }
        }
    }

    // MARK: Hello

    /// The answer to a call on a connection of its own that has said Hello.
    private func answer(_ guarded: GuardedServer, helloWith text: String, call token: String?) async throws -> RPCError?
    {
        let peer = try await RawPeer.connect(to: guarded.server.addresses[0])
        try await peer.sayHello(authorization: text)
        var metadata = Metadata()
        if let token { metadata.append("authorization", token) }
        try await peer.send([.search(on: 1, metadata: metadata)])
        let error = try await peer.nextStatus()
        try await peer.close()
        return error
    }

    @Test func helloHasTheTokenOfCallsThatHaveNone() async throws {
        let records = [TestToken.record(1, [.catalogRead]), TestToken.record(2, [])]
        let (good, other) = (Authorization.value(Self.good), Authorization.value(TestToken.token(2)))
        let wrong = "Bearer \(TestToken.token(9).secret)"
        try await GuardedServer.run(anonymous: [.catalogRead], records) { guarded in
            let cases: [(hello: String, call: String?, expected: ErrorReason?)] = [
                (good, nil, nil), ("", nil, nil), (wrong, nil, .tokenInvalid), (good, other, .scopeMissing),
                // The token of a call is the one that counts.
                (wrong, good, nil),
            ]
            for (hello, call, expected) in cases {
                let error = try await answer(guarded, helloWith: hello, call: call)
                #expect(error?.reason == expected)
            }
        }
    }
}
