import MarvelDomain
import NIOCore
import RPCCore
import Testing
import WireClients
import WireMessages

@testable import RPCClient
@testable import RPCServer

/// Callers who try tokens, and secrets that must not be seen.
@Suite(.timeLimit(.minutes(10)))
struct TokenAttackTests {
    /// Callers without a name on the connection of one with a name do not slow its reads down to the pace of an address.
    @Test func strangersDoNotSlowDownCallersWithAName() async throws {
        var quotas = CallerQuotas()
        // Before its first call the connection is a stranger's, and the bytes of the strangers' calls take minutes.
        quotas.anonymous = CallerLimits(callsPerSecond: 0, callBurst: 0, bytesPerSecond: 50)
        quotas.named = CallerLimits(callsPerSecond: 0, callBurst: 0, bytesPerSecond: 0)
        let records = [TestToken.record(1, [.catalogRead])]
        try await GuardedServer.run(anonymous: [.catalogRead], records, quotas: quotas, callers: .one) { guarded in
            try await guarded.withPeer(.gRPC) { peer in
                let good = TestToken.metadata(TestToken.token(1))
                #expect(try await peer.searchRefusal(good) == nil)
                for metadata in [[], TestToken.metadata(TestToken.token(9))] {
                    for _ in 0..<20 {
                        _ = try await peer.searchRefusal(metadata)
                        #expect(try await peer.searchRefusal(good) == nil)
                    }
                }
            }
        }
    }

    /// A marker in tokens, good and bad, on both wires, is found in no log line and no answer.
    @Test func aSecretIsInNoLogAndNoError() async throws {
        let log = RecordedLog()
        let (good, unknown) = (TestToken.token(1), TestToken.token(9))
        let marker = "mrv1_marker-that-nobody-must-see"
        let values = [
            Authorization.value(good), Authorization.value(unknown), "Bearer \(marker)", marker, "Basic \(marker)",
        ]
        let secrets = [good.secret, unknown.secret, marker].map { String($0.suffix(40).prefix(20)) }
        let requests: [(MethodPath, ByteBuffer)] = [
            (SampleSearch.path, SampleSearch.request), (SampleSearch.path, ByteBuffer(bytes: [0xFF])),
            (MarvelServiceMethods.listLists.path, ListListsRequest().encoded()),
            (MethodPath(service: "no.Service", method: "None"), ByteBuffer()),
        ]
        try await GuardedServer.run([TestToken.record(1, [.catalogRead])], logger: log.logger) { guarded in
            var answers = ""
            for wire in Wire.ports {
                try await guarded.withPeer(wire) { peer in
                    for value in values {
                        for (path, request) in requests {
                            switch try await peer.first(path, request, TestToken.metadata(value)) {
                            case .success(let bytes): answers += bytes.map { String(buffer: $0) } ?? ""
                            case .failure(let error): answers += "\(error) \(error.details)\n"
                            }
                        }
                    }
                }
            }
            answers += "\(guarded.server.counters)"
            #expect(answers.contains("TOKEN_INVALID"))
            for secret in secrets {
                #expect(!answers.contains(secret))
                #expect(!log.lines.contains { $0.contains(secret) })
            }
        }
    }
}

/// The credentials that a client sends, and the servers that get them.
@Suite(.timeLimit(.minutes(10)))
struct ClientCredentialsTests {
    private func answer(_ server: ServerAddress, _ credentials: ClientCredentials?) async -> RPCError? {
        var options = RPCClientOptions()
        options.retries = nil
        options.connectTimeout = .milliseconds(200)
        options.credentials = credentials
        let client = RPCClient(addresses: [server], options: options)
        var failure: RPCError?
        do throws(RPCError) {
            _ = try await client.unary(SampleSearch.path, SampleSearch.request)
        } catch {
            failure = error
        }
        await client.shutdown()
        return failure
    }

    @Test func aClientSendsItsToken() async throws {
        try await GuardedServer.run([TestToken.record(1, [.catalogRead])]) { guarded in
            let server = guarded.server.addresses[0]
            #expect(await answer(server, ClientCredentials(token: TestToken.token(1).secret)) == nil)
            #expect(await answer(server, ClientCredentials(token: "other"))?.reason == .tokenInvalid)
            #expect(await answer(server, nil)?.reason == .tokenMissing)
        }
    }

    @Test func aTokenIsNotSentWhereOthersCouldReadIt() throws {
        let token = ClientCredentials(token: "secret")
        let remote = ServerEndpoint(.tcp(host: "192.0.2.1", port: 6160))
        let error = #expect(throws: RPCError.self) { try token.authorization(for: remote) }
        #expect(error?.code == .unauthenticated)
        #expect(error?.reason == .tokenInClear)
        #expect(error.map { "\($0) \($0.details)" }?.contains("secret") == false)
        for address in ["127.0.0.1:1", "[::1]:1", "localhost:1", "unix:/x"] {
            let server = ServerEndpoint(try #require(ServerAddress(address)))
            #expect(try token.authorization(for: server) == "Bearer secret")
        }
        let told = ClientCredentials(token: "secret", mayBeInClear: true)
        #expect(try told.authorization(for: remote) == "Bearer secret")
        var dumped = ""
        dump(told, to: &dumped)
        for text in ["\(told)", String(reflecting: told), dumped] { #expect(!text.contains("secret")) }
    }
}
