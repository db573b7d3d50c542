import Catalog
import Foundation
import Logging
import MarvelDomain
import MarvelService
import NIOCore
import RPCClient
import RPCCore
import StoreContract
import Synchronization
import WireClients
import WireMessages

@testable import RPCServer

/// A server of the whole service whose callers at loopback addresses are strangers, so that they need tokens.
struct GuardedServer {
    /// A clock that a test sets, in seconds since 1970.
    final class Clock: Sendable {
        private let seconds = Atomic<Int64>(1_800_000_000)

        var now: Int64 { seconds.load(ordering: .relaxed) }

        func set(_ seconds: Int64) { self.seconds.store(seconds, ordering: .relaxed) }
    }

    let server: RPCServer
    let service: CharacterService
    let access: AccessControl
    let clock: Clock

    /// The address of the port of a wire.
    func address(_ wire: TestWire) -> ServerAddress { server.addresses[wire == .framed ? 0 : 1] }

    static func run(
        anonymous: [Scope] = [],
        _ records: [TokenRecord] = [],
        quotas: CallerQuotas = CallerQuotas(),
        callers: TestServer.Callers = .byAddress,
        catalog: any CharacterCatalog = BuiltInCatalog.catalog(),
        watchLimits: WatchLimits = WatchLimits(),
        log: RecordedCalls? = nil,
        logger: Logger = Logger(label: "test"),
        _ body: (GuardedServer) async throws -> Void
    ) async throws {
        let service = CharacterService(catalog: catalog, store: MemoryFavoritesStore(), watchLimits: watchLimits)
        try await service.load()
        var rules = AccessRules(ownUser: geteuid())
        rules.distrustsLoopback = true
        rules.anonymousGrants = Grants(anonymous)
        let clock = Clock()
        let access = AccessControl(
            rules,
            TokenTable(records),
            wallClock: { clock.now }
        )
        var configuration = ServerConfiguration.patient
        configuration.drainQuietTime = .milliseconds(20)
        configuration.quotas = quotas
        let local = ServerAddress.tcp(host: "127.0.0.1", port: 0)
        let server = try await RPCServer.start(
            on: [ListeningEndpoint(local), ListeningEndpoint(local, wire: .http)],
            services: service.services,
            configuration: configuration,
            access: access,
            caller: callers.caller,
            accessLog: log,
            logger: logger
        )
        try await running {
            let guarded = GuardedServer(server: server, service: service, access: access, clock: clock)
            try await body(guarded)
        } finally: {
            server.stop()
            await server.run()
        }
    }

    /// Runs a client without credentials of its own.
    func withClient(
        _ wire: TestWire,
        _ body: (WireClient) async throws -> Void
    ) async throws {
        var options = RPCClientOptions()
        options.retries = nil
        let client = WireClient(wire, at: address(wire), options: options)
        try await running {
            try await body(client)
        } finally: {
            await client.shutdown()
        }
    }
}

/// Tokens of tests, and their records.
enum TestToken {
    static func token(_ number: UInt8) -> TokenText { TokenText(random: [UInt8](repeating: number, count: 32)) }

    static func record(
        _ number: UInt8,
        _ scopes: [Scope],
        name: String = "reader",
        expiry: Int64? = nil
    ) -> TokenRecord {
        TokenRecord(
            id: "\(number)",
            name: name,
            scopes: scopes,
            digest: token(number).digest,
            createdAt: 0,
            expiry: expiry
        )
    }

    static func metadata(_ token: TokenText) -> Metadata { metadata(Authorization.value(token)) }

    static func metadata(_ authorization: String) -> Metadata {
        var metadata = Metadata()
        metadata.append("authorization", authorization)
        return metadata
    }
}

extension WireClient {
    /// The first message of a call, or its error.
    func first(
        _ path: MethodPath,
        isStream: Bool = false,
        _ request: ByteBuffer,
        _ metadata: Metadata = Metadata()
    ) async -> Result<ByteBuffer?, RPCError> {
        do throws(RPCError) {
            guard isStream else {
                return .success(try await unary(path, request, timeout: .seconds(20), metadata: metadata))
            }
            for try await message in serverStream(path, request, metadata: metadata) { return .success(message) }
            return .success(nil)
        } catch {
            return .failure(error)
        }
    }
}
