import Catalog
import MarvelDomain
import MarvelService
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import Testing
import WireClients
import WireMessages

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
    private static let path = MarvelServiceMethods.searchCharacters.path

    /// Runs a client of each name.
    private func withClients(
        _ guarded: GuardedServer,
        _ wire: TestWire,
        _ body: (_ flood: WireClient, _ modest: WireClient) async throws -> Void
    ) async throws {
        try await guarded.withClient(wire) { flood in
            try await guarded.withClient(wire) { modest in try await body(flood, modest) }
        }
    }

    /// Calls of the flood, many at a time, until they are told to end.
    private final class Flood: Sendable {
        /// Makes the request of a call.
        typealias Request = @Sendable (_ lane: Int, _ call: Int) -> ByteBuffer

        private let isOver = Atomic(false)
        private let counts = Mutex<[ErrorReason: Int]>([:])

        /// The reasons for which calls were refused.
        var reasons: [ErrorReason] { counts.withLock { Array($0.keys) } }

        /// Makes one call after the other, at most `count`.
        func run(_ client: WireClient, lane: Int, count: Int, _ request: Request) async {
            for call in 0..<count where !isOver.load(ordering: .relaxed) {
                let answer = await client.first(NamedQuotaTests.path, request(lane, call), NamedQuotaTests.flood)
                guard let reason = answer.error?.reason else { continue }
                counts.withLock { $0[reason, default: 0] += 1 }
            }
        }

        func end() { isOver.store(true, ordering: .relaxed) }
    }

    /// Runs a flood until `body` has ended.
    ///
    /// - Returns: The reasons for which its calls were refused.
    private func reasons(
        _ client: WireClient,
        _ request: @escaping Flood.Request,
        lanes: Int,
        maximumCalls: Int,
        while body: () async throws -> Void
    ) async throws -> [ErrorReason] {
        let flood = Flood()
        let tasks = (0..<lanes).map { lane in
            Task { await flood.run(client, lane: lane, count: maximumCalls, request) }
        }
        try await running {
            try await body()
        } finally: {
            flood.end()
            for task in tasks { await task.value }
        }
        return flood.reasons
    }

    @Test(arguments: TestWire.allCases)
    func searchesAreLimitedForEachName(_ wire: TestWire) async throws {
        @Sendable func request(_ lane: Int, _ call: Int) -> ByteBuffer {
            // Each has a query of its own, so that none is answered from memory.
            let letters = [lane / 26 + 97, lane % 26 + 97, call % 26 + 97].map { Character(Unicode.Scalar(UInt8($0))) }
            return SearchCharactersRequest(query: String(letters), match: .substring, maxPages: 1).encoded()
        }
        var quotas = CallerQuotas()
        quotas.named = CallerLimits(callsPerSecond: 0, callBurst: 0, bytesPerSecond: 0)
        let catalog = SyntheticCharacters(count: 30_000).catalog()
        try await GuardedServer.run(Self.records, quotas: quotas, catalog: catalog) { guarded in
            try await withClients(guarded, wire) { flood, modest in
                let reasons = try await reasons(flood, request, lanes: 100, maximumCalls: 100) {
                    try await eventually { guarded.server.count(of: CallerEvent.searchQuota) > 0 }
                    for call in 0..<10 {
                        let answer = await modest.first(Self.path, request(200, call), Self.modest)
                        #expect(answer.error == nil)
                    }
                }
                #expect(reasons == [.searchShare])
            }
        }
    }

    // MARK: Watches

    /// The messages and the errors of some watches.
    private final class Watches: Sendable {
        private struct State {
            var messageCounts: [Int]
            var reasons: [ErrorReason?] = []
        }

        private let state: Mutex<State>

        init(_ count: Int) { state = Mutex(State(messageCounts: Array(repeating: 0, count: count))) }

        var messageCounts: [Int] { state.withLock(\.messageCounts) }
        var reasons: [ErrorReason?] { state.withLock(\.reasons) }

        /// Watches until the watch fails, or the task is cancelled.
        func watch(_ number: Int, _ client: WireClient, _ metadata: Metadata) async {
            let request = WatchFavoritesRequest(list: "shared").encoded()
            let path = MarvelServiceMethods.watchFavorites.path
            do throws(RPCError) {
                for try await _ in client.serverStream(path, request, metadata: metadata) {
                    state.withLock { $0.messageCounts[number] += 1 }
                }
            } catch {
                if !Task.isCancelled { state.withLock { $0.reasons.append(error.reason) } }
            }
        }
    }

    @Test(arguments: TestWire.allCases)
    func watchesAreLimitedForEachName(_ wire: TestWire) async throws {
        var limits = WatchLimits()
        limits.maximumWatchesPerCaller = CallerShares(named: 5, anonymous: 1)
        try await GuardedServer.run(Self.records, watchLimits: limits) { guarded in
            try await withClients(guarded, wire) { flood, modest in
                let (greedy, kept) = (Watches(20), Watches(5))
                try await withThrowingTaskGroup { group in
                    for number in 0..<20 { group.addTask { await greedy.watch(number, flood, Self.flood) } }
                    try await eventually { greedy.reasons.count == 15 && guarded.service.watchCount == 5 }
                    #expect(Set(greedy.reasons) == [.watchLimit])
                    for number in 0..<5 { group.addTask { await kept.watch(number, modest, Self.modest) } }
                    try await eventually { kept.messageCounts == [1, 1, 1, 1, 1] }
                    let toggle = ToggleFavoriteRequest(list: "shared", characterID: 1_009_610, desired: .saved)
                    let path = MarvelServiceMethods.toggleFavorite.path
                    #expect(await modest.first(path, toggle.encoded(), Self.modest).error == nil)
                    try await eventually { kept.messageCounts == [2, 2, 2, 2, 2] }
                    #expect(kept.reasons.isEmpty && greedy.reasons.count == 15)
                    group.cancelAll()
                }
                #expect(guarded.server.count(of: CallerEvent.watchQuota) == 15)
            }
        }
    }

    // MARK: Lists

    @Test(arguments: TestWire.allCases)
    func listsAreLimitedForEachName(_ wire: TestWire) async throws {
        let maximum = ListRules().maximumListsPerOwner
        try await GuardedServer.run(Self.records) { guarded in
            try await withClients(guarded, wire) { flood, modest in
                func save(_ client: WireClient, on list: String, _ metadata: Metadata) async -> ErrorReason? {
                    let toggle = ToggleFavoriteRequest(list: list, characterID: 1_009_610, desired: .saved)
                    return await client.first(MarvelServiceMethods.toggleFavorite.path, toggle.encoded(), metadata)
                        .error?.reason
                }
                for number in 0..<maximum { #expect(await save(flood, on: "flood-\(number)", Self.flood) == nil) }
                #expect(await save(flood, on: "more", Self.flood) == .listLimit)
                #expect(await save(modest, on: "more", Self.modest) == nil)
                #expect(await save(flood, on: "more", Self.flood) == nil, "an existing list")
                #expect(guarded.server.count(of: CallerEvent.listQuota) == 1)
            }
        }
    }
}
