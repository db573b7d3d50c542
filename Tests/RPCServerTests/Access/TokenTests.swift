import Framing
import MarvelDomain
import NIOCore
import RPCClient
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

    private func reason(_ client: WireClient, _ metadata: Metadata) async -> ErrorReason? {
        await client.first(Self.path, isStream: true, Self.search, metadata).error?.reason
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
            for wire in TestWire.allCases {
                try await guarded.withClient(wire) { client in
                    #expect(await reason(client, Metadata()) == nil)
                    for (text, expected) in bad {
                        #expect(
                            await reason(client, TestToken.metadata(text)) == expected,
                            "\(wire) \(text.prefix(20))"
                        )
                    }
                    #expect(await reason(client, TestToken.metadata(Self.good)) == nil)
                    var two = TestToken.metadata(Self.good)
                    two.append("authorization", Authorization.value(Self.good))
                    #expect(await reason(client, two) == .tokenInvalid)
                }
            }
        }
    }

    /// The token is remembered for the connection, and its calls are refused as soon as it is.
    @Test func aCallIsRefusedAfterItsTokenIsRevokedOrExpires() async throws {
        let records = [TestToken.record(1, [.catalogRead], expiry: 1_800_000_100)]
        try await GuardedServer.run(records) { guarded in
            for wire in TestWire.allCases {
                try await guarded.withClient(wire) { client in
                    let metadata = TestToken.metadata(Self.good)
                    func unary() async -> ErrorReason? {
                        await client.first(Self.path, Self.search, metadata).error?.reason
                    }
                    for _ in 0..<5 { #expect(await unary() == nil) }
                    guarded.access.replace(TokenTable())
                    for _ in 0..<2 { #expect(await unary() == .tokenInvalid) }
                    guarded.access.replace(TokenTable(records))
                    for _ in 0..<5 { #expect(await unary() == nil) }
                    guarded.clock.set(1_800_000_100)
                    guarded.access.noticeExpiries()
                    for _ in 0..<2 { #expect(await unary() == .tokenExpired) }
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
            for wire in TestWire.allCases {
                try await guarded.withClient(wire) { client in
                    let metadata = TestToken.metadata(Self.good)
                    for _ in 0..<3 { #expect(await reason(client, metadata) == nil) }
                    guarded.clock.set(1_800_000_001)
                    #expect(await reason(client, metadata) == .tokenExpired)
                    guarded.clock.set(1_800_000_000)
                    guarded.access.replace(TokenTable())
                    guarded.access.replace(TokenTable(records))
                }
            }
        }
    }

    // MARK: Watches

    /// A watch that has sent its snapshot, and the way in which it ends.
    private func watch(
        _ client: WireClient,
        _ token: TokenText,
        afterSnapshot body: () -> Void
    ) async -> RPCError? {
        let request = WatchFavoritesRequest(list: "reading").encoded()
        let stream = client.serverStream(
            MarvelServiceMethods.watchFavorites.path,
            request,
            metadata: TestToken.metadata(token)
        )
        do throws(RPCError) {
            let iterator = stream.makeAsyncIterator()
            _ = try await iterator.next()
            body()
            while try await iterator.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: TestWire.allCases)
    func aWatchEndsWhenItsTokenIsRevoked(_ wire: TestWire) async throws {
        let scope = Scope.listsRead(.all)
        let (own, other) = (TestToken.record(1, [scope]), TestToken.record(2, [scope]))
        try await GuardedServer.run([own, other]) { guarded in
            try await guarded.withClient(wire) { client in
                let error = await watch(client, TestToken.token(1)) { guarded.access.replace(TokenTable([other])) }
                #expect(error?.code == .unauthenticated)
                #expect(error?.reason == .tokenInvalid)
                #expect(guarded.server.count(of: .accessEnded) == 1)
            }
        }
    }

    /// The record keeps its identifier, its name and its scopes, and has another token.
    @Test(arguments: TestWire.allCases)
    func aWatchEndsWhenItsTokenIsReplaced(_ wire: TestWire) async throws {
        let own = TestToken.record(1, [.listsRead(.all)])
        var replaced = own
        replaced.digest = TestToken.token(2).digest
        try await GuardedServer.run([own]) { guarded in
            try await guarded.withClient(wire) { client in
                let error = await watch(client, TestToken.token(1)) {
                    guarded.access.replace(TokenTable([replaced]))
                    // Without the replacement it would end here.
                    guarded.server.stop()
                }
                #expect(error?.reason == .tokenInvalid)
            }
        }
    }

    @Test(arguments: TestWire.allCases)
    func aWatchEndsWhenItsTokenExpires(_ wire: TestWire) async throws {
        try await GuardedServer.run([TestToken.record(1, [.listsRead(.all)], expiry: 1_800_000_050)]) { guarded in
            try await guarded.withClient(wire) { client in
                let error = await watch(client, TestToken.token(1)) {
                    guarded.clock.set(1_800_000_050)
                    guarded.access.noticeExpiries()
                }
                #expect(error?.code == .unauthenticated)
                #expect(error?.reason == .tokenExpired)
            }
        }
    }

    /// Changes that do not concern a token leave its watches alone: they end with the server.
    @Test(arguments: TestWire.allCases)
    func aWatchSurvivesChangesOfOtherTokens(_ wire: TestWire) async throws {
        let own = TestToken.record(1, [.listsRead(.all)])
        try await GuardedServer.run([own, TestToken.record(2, [.admin])]) { guarded in
            try await guarded.withClient(wire) { client in
                let error = await watch(client, TestToken.token(1)) {
                    guarded.access.replace(TokenTable([own]))
                    guarded.server.stop()
                }
                #expect(error?.reason == .draining)
                #expect(guarded.server.count(of: .accessEnded) == 0)
            }
        }
    }

    // MARK: Hello

    private func hello(_ authorization: String) -> ByteBuffer {
        HelloMessage(version: 1, software: "test", authorization: authorization).encoded()
    }

    /// The answer to a call on a connection of its own that has said Hello.
    private func answer(_ guarded: GuardedServer, helloWith text: String, metadata: Metadata) async throws -> RPCError?
    {
        let peer = try await RawPeer.connect(to: guarded.address(.framed))
        try await peer.send(.hello, on: .connection, hello(text))
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
        let response = try ResponseEnvelope(decoding: try #require(frame?.data), limit: .response)
        try await peer.channel.close()
        return response.status
    }

    @Test func helloHasTheTokenOfCallsThatHaveNone() async throws {
        let records = [TestToken.record(1, [.catalogRead]), TestToken.record(2, [])]
        let (empty, other) = (Metadata(), TestToken.metadata(TestToken.token(2)))
        let wrong = "Bearer \(TestToken.token(9).secret)"
        try await GuardedServer.run(anonymous: [.catalogRead], records) { guarded in
            let value = Authorization.value(Self.good)
            let cases: [(hello: String, metadata: Metadata, expected: ErrorReason?)] = [
                (value, empty, nil), ("", empty, nil), (wrong, empty, .tokenInvalid), (value, other, .scopeMissing),
                // The token of a call is the one that counts.
                (wrong, TestToken.metadata(Self.good), nil),
            ]
            for (text, metadata, expected) in cases {
                let error = try await answer(guarded, helloWith: text, metadata: metadata)
                #expect(error?.reason == expected)
            }
        }
    }
}
