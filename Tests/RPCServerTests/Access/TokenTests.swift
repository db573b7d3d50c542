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
    private static let search = SearchCharactersRequest(query: "spider", pageSize: 2, maxPages: 1).encoded()
    private static let path = MarvelServiceMethods.searchCharacters.path
    private static let good = TestToken.token(1)

    private func reason(_ peer: WirePeer, _ metadata: [(String, String)]) async throws -> ErrorReason? {
        try await peer.first(Self.path, isStream: true, Self.search, metadata).error?.reason
    }

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
                    #expect(try await reason(peer, []) == nil)
                    for (text, expected) in bad {
                        #expect(
                            try await reason(peer, TestToken.metadata(text)) == expected,
                            "\(wire) \(text.prefix(20))"
                        )
                    }
                    #expect(try await reason(peer, TestToken.metadata(Self.good)) == nil)
                    let two = TestToken.metadata(Self.good) + TestToken.metadata(Self.good)
                    #expect(try await reason(peer, two) == .tokenInvalid)
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
                    func unary() async throws -> ErrorReason? {
                        try await peer.first(Self.path, Self.search, metadata).error?.reason
                    }
                    for _ in 0..<5 { #expect(try await unary() == nil) }
                    guarded.access.replace(TokenTable())
                    for _ in 0..<2 { #expect(try await unary() == .tokenInvalid) }
                    guarded.access.replace(TokenTable(records))
                    for _ in 0..<5 { #expect(try await unary() == nil) }
                    guarded.clock.set(1_800_000_100)
                    guarded.access.noticeExpiries()
                    for _ in 0..<2 { #expect(try await unary() == .tokenExpired) }
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
                    for _ in 0..<3 { #expect(try await reason(peer, metadata) == nil) }
                    guarded.clock.set(1_800_000_001)
                    #expect(try await reason(peer, metadata) == .tokenExpired)
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
        let hello = HelloMessage(version: 1, software: "test", authorization: text)
        try await peer.send(.hello, on: .connection, hello.encoded())
        var metadata = Metadata()
        if let token { metadata.append("authorization", token) }
        let envelope = RequestEnvelope(
            service: Self.path.service,
            method: Self.path.method,
            payload: Self.search,
            timeoutNanoseconds: 0,
            metadata: metadata
        )
        try await peer.send(.request, on: 1, envelope.encoded())
        var frame = try await peer.nextFrame()
        while frame?.header.type != .response { frame = try await peer.nextFrame() }
        try await peer.close()
        return try frame?.status
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
