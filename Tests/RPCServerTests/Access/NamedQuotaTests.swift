import Catalog
import MarvelDomain
import MarvelService
import NIOCore
import RPCCore
import Testing
import WireClients
import WireMessages

@testable import RPCServer

/// Two tokens of two names at one address: one floods, and the other one notices nothing (W27 of the faults that are
/// provided for).
@Suite(.timeLimit(.minutes(10)))
struct NamedQuotaTests {
    private static let (flood, modest) = (
        TestToken.metadata(TestToken.token(1)), TestToken.metadata(TestToken.token(2))
    )
    private static let records = [
        TestToken.record(1, [.catalogRead, .listsWrite(.all)], name: "flood"),
        TestToken.record(2, [.catalogRead, .listsWrite(.all)], name: "modest"),
    ]

    /// Connects a client of each name.
    private func withPeers(
        _ guarded: GuardedServer,
        _ wire: Wire,
        _ body: (_ flood: WirePeer, _ modest: WirePeer) async throws -> Void
    ) async throws {
        try await guarded.withPeer(wire) { flood in
            try await guarded.withPeer(wire) { modest in try await body(flood, modest) }
        }
    }

    /// Each search has a query of its own, so that none is answered from memory.
    private func search(_ number: Int, _ metadata: [(String, String)]) -> Call {
        let letters = [number / 676 + 97, number / 26 % 26 + 97, number % 26 + 97]
        let query = String(String.UnicodeScalarView(letters.compactMap { Unicode.Scalar(UInt32($0)) }))
        let request = SearchCharactersRequest(query: query, match: .substring, maxPages: 1)
        var call = Call(MarvelServiceMethods.searchCharacters.path, request.encoded(), isStream: false)
        call.metadata = metadata
        return call
    }

    @Test(arguments: Wire.ports)
    func searchesAreLimitedForEachName(_ wire: Wire) async throws {
        var quotas = CallerQuotas()
        quotas.named = CallerLimits(callsPerSecond: 0, callBurst: 0, bytesPerSecond: 0)
        let catalog = SyntheticCharacters(count: 30_000).catalog()
        try await GuardedServer.run(Self.records, quotas: quotas, catalog: catalog) { guarded in
            try await withPeers(guarded, wire) { flood, modest in
                var reasons: Set<ErrorReason> = []
                for round in 0..<10 {
                    // At once, so that they overlap.
                    var calls = ByteBuffer()
                    let numbers = try (0..<100).map { lane in
                        let (number, bytes) = try flood.encode(search(100 * round + lane, Self.flood))
                        calls.writeImmutableBuffer(bytes)
                        return number
                    }
                    try await flood.socket.send(calls)
                    #expect(try await modest.call(search(1_000 + round, Self.modest)).error == nil)
                    for number in numbers {
                        if let reason = try await flood.answer(to: number).error?.reason { reasons.insert(reason) }
                    }
                }
                #expect(reasons == [.searchShare])
                #expect(guarded.server.count(of: CallerEvent.searchQuota) > 0)
            }
        }
    }

    @Test(arguments: Wire.ports)
    func watchesAreLimitedForEachName(_ wire: Wire) async throws {
        var limits = WatchLimits()
        limits.maximumWatchesPerCaller = CallerShares(named: 5, anonymous: 1)
        var watch = Call(
            MarvelServiceMethods.watchFavorites.path,
            WatchFavoritesRequest(list: "shared").encoded(),
            isStream: true
        )
        try await GuardedServer.run(Self.records, watchLimits: limits) { guarded in
            try await withPeers(guarded, wire) { flood, modest in
                watch.metadata = Self.flood
                var reasons: [ErrorReason?] = []
                for _ in 0..<20 {
                    let number = try await flood.send(watch)
                    guard try await flood.message(of: number) == nil else { continue }
                    reasons.append(try await flood.answer(to: number).error?.reason)
                }
                #expect(reasons == Array(repeating: .watchLimit, count: 15))
                #expect(guarded.service.watchCount == 5)
                watch.metadata = Self.modest
                var kept: [Int] = []
                for _ in 0..<5 { kept.append(try await modest.send(watch)) }
                for number in kept { #expect(try await modest.message(of: number) != nil) }
                #expect(try await save(modest, on: "shared", Self.modest) == nil)
                for number in kept { #expect(try await modest.message(of: number) != nil) }
                #expect(guarded.server.count(of: CallerEvent.watchQuota) == 15)
            }
        }
    }

    /// Saves a character on a list.
    ///
    /// - Returns: The reason for which it is refused.
    private func save(
        _ peer: WirePeer,
        on list: String,
        _ metadata: [(String, String)]
    ) async throws -> ErrorReason? {
        let toggle = ToggleFavoriteRequest(list: list, characterID: 1_009_610, desired: .saved)
        return try await peer.first(MarvelServiceMethods.toggleFavorite.path, toggle.encoded(), metadata).error?.reason
    }

    @Test(arguments: Wire.ports)
    func listsAreLimitedForEachName(_ wire: Wire) async throws {
        try await GuardedServer.run(Self.records) { guarded in
            try await withPeers(guarded, wire) { (flood, modest) async throws in
                for number in 0..<ListRules().maximumListsPerOwner {
                    #expect(try await save(flood, on: "flood-\(number)", Self.flood) == nil)
                }
                #expect(try await save(flood, on: "more", Self.flood) == .listLimit)
                #expect(try await save(modest, on: "more", Self.modest) == nil)
                #expect(try await save(flood, on: "more", Self.flood) == nil, "an existing list")
                #expect(guarded.server.count(of: CallerEvent.listQuota) == 1)
            }
        }
    }
}
