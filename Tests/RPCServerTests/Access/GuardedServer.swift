import Catalog
import Foundation
import Framing
import Logging
import MarvelDomain
import MarvelService
import NIOCore
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

    static func run(
        anonymous: [Scope] = [],
        _ records: [TokenRecord],
        quotas: CallerQuotas = CallerQuotas(),
        callers: Callers = .byAddress,
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
        let access = AccessControl(rules, TokenTable(records), wallClock: { clock.now })
        var configuration = ServerConfiguration.patient
        configuration.drainQuietTime = .milliseconds(20)
        configuration.quotas = quotas
        try await TestServer.run(
            TestMethods(),
            configuration,
            services: service.services,
            wires: [.framed, .http],
            access: access,
            callers: callers,
            accessLog: log,
            logger: logger
        ) { try await body(GuardedServer(server: $0, service: service, access: access, clock: clock)) }
    }

    /// Connects a client without credentials of its own.
    func withPeer(_ wire: Wire, _ body: (WirePeer) async throws -> Void) async throws {
        let peer = try await WirePeer.connect(wire, to: server, port: wire == .framed ? 0 : 1)
        try await running {
            try await body(peer)
        } finally: {
            try? await peer.socket.close()
        }
    }
}

/// A search, which needs `catalog:read`.
enum SampleSearch {
    static let path = MarvelServiceMethods.searchCharacters.path
    static let request = SearchCharactersRequest(query: "spider", pageSize: 2, maxPages: 1).encoded()
}

extension WirePeer {
    /// Searches.
    ///
    /// - Returns: The reason for which the search is refused.
    func searchRefusal(
        _ metadata: [(String, String)] = [],
        isStream: Bool = false
    ) async throws -> ErrorReason? {
        try await first(SampleSearch.path, isStream: isStream, SampleSearch.request, metadata).error?.reason
    }
}

extension Frame {
    static func search(on id: StreamID, metadata: Metadata = Metadata()) -> Frame {
        let path = SampleSearch.path
        return .request(path.method, of: path.service, on: id, SampleSearch.request, metadata: metadata)
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

    static func metadata(_ token: TokenText) -> [(String, String)] { metadata(Authorization.value(token)) }
    static func metadata(_ authorization: String) -> [(String, String)] { [("authorization", authorization)] }
}
