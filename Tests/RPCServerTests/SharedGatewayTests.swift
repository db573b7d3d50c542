import Catalog
import FavoritesSQLite
import Framing
import Logging
import MarvelDomain
import MarvelService
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import Testing
import Upstream
import WireMessages

/// One connection that asks for all it can get, and ten that ask for little, behind one gateway.
@Suite(.timeLimit(.minutes(1)))
struct SharedGatewayTests {
    private static let modestConnections = 10
    private static let callsPerModestConnection = 4
    private static let modestCalls = modestConnections * callsPerModestConnection

    /// Callers take turns for the places at the gateway: counted in calls that the gateway got.
    @Test func oneConnectionCannotTakeThePlacesOfTheOthers() async throws {
        // As many calls as every connection gets when they take turns, and the places that were free at first.
        let grants =
            UpstreamLimits().maximumUnderWay + (Self.modestConnections + 1) * Self.callsPerModestConnection
        let alone = try await modestCalls(among: grants, besideGreedyCalls: 0)
        let together = try await modestCalls(among: grants, besideGreedyCalls: 120)
        #expect(alone == Self.modestCalls)
        #expect(together * 10 >= alone * 8, "\(together) of \(alone)")
    }

    private func modestCalls(among grants: Int, besideGreedyCalls greedyCalls: Int) async throws -> Int {
        try await Stage.run { stage in
            let greedy = try await RawPeer.connect(to: stage.address)
            try await ask(greedy, greedyCalls, "greedy", stage)
            var peers = [greedy]
            for number in 0..<Self.modestConnections {
                let peer = try await RawPeer.connect(to: stage.address)
                try await ask(peer, Self.callsPerModestConnection, "modest \(number)", stage)
                peers.append(peer)
            }
            try await eventually { stage.counts.waiting == greedyCalls + Self.modestCalls }
            let wanted = min(grants, greedyCalls + Self.modestCalls)
            while stage.gateway.queries.count < wanted {
                let count = stage.gateway.queries.count
                stage.gateway.answerOne()
                try await eventually { stage.gateway.queries.count > count }
            }
            let modest = stage.gateway.queries.prefix(wanted).count { $0.hasPrefix("modest") }
            stage.gateway.answerAll()
            for peer in peers { try await peer.close() }
            return modest
        }
    }

    private func ask(_ peer: RawPeer, _ count: Int, _ name: String, _ stage: Stage) async throws {
        for number in 0..<count {
            let request = SearchCharactersRequest(query: "\(name) \(number)").encoded()
            let id = StreamID(rawValue: UInt32(2 * number + 1))
            try await peer.call("SearchCharacters", on: id, payload: request, service: CharacterService.name)
        }
    }

    /// However many calls one connection makes, half of a day's are left for others.
    @Test func oneConnectionCannotSpendTheBudgetOfTheOthers() async throws {
        try await Stage.run(callsPerDay: 100) { stage in
            stage.gateway.answerAll()
            let greedy = try await outcomes(of: 150, "greedy", stage)
            #expect(greedy == ["OK": 50, "BUDGET_SHARE": 100])
            for number in 0..<Self.modestConnections {
                #expect(try await outcomes(of: Self.callsPerModestConnection, "modest \(number)", stage) == ["OK": 4])
            }
            // And the next one that is greedy cannot take all of the rest.
            #expect(try await outcomes(of: 20, "second", stage) == ["OK": 5, "BUDGET_SHARE": 15])
        }
    }

    /// Counts the outcomes of calls on a connection of their own, by their reasons.
    private func outcomes(of calls: Int, _ name: String, _ stage: Stage) async throws -> [String: Int] {
        var options = RPCClientOptions()
        options.retries = nil
        let client = RPCClient(addresses: [stage.address], options: options)
        var outcomes: [String: Int] = [:]
        for number in 0..<calls {
            let request = SearchCharactersRequest(query: "\(name) \(number)").encoded()
            let path = MethodPath(service: CharacterService.name, method: "SearchCharacters")
            do throws(RPCError) {
                _ = try await client.unary(path, request)
                outcomes["OK", default: 0] += 1
            } catch {
                outcomes[error.reason?.rawValue ?? "\(error)", default: 0] += 1
            }
        }
        await client.shutdown()
        return outcomes
    }
}

/// The real service over a gateway that answers when the test says so.
private struct Stage {
    let address: ServerAddress
    let gateway: HeldGateway
    let counts: UpstreamCounts

    static func run<Value>(callsPerDay: Int? = nil, _ body: (Stage) async throws -> Value) async throws -> Value {
        let (gateway, counts) = (HeldGateway(), UpstreamCounts())
        let keys = try #require(MarvelKeys(publicKey: "public", privateKey: "private"))
        let now = Moment(sinceEpoch: .seconds(1_790_000_000))
        let clock = UpstreamClock(startingAt: now)
        let budget = callsPerDay.map { CallBudget(callsPerDay: $0, at: now) }
        let answers = GatewayAnswers(
            client: MarvelAPIClient(
                gateway: try GatewayURL("http://gateway.test"),
                keys: keys,
                transport: gateway,
                timestamp: { "1" }
            ),
            caller: UpstreamCaller(budget: budget, clock: clock, counts: counts),
            clock: clock,
            counts: counts
        )
        let store = try SQLiteFavoritesStore.inMemory()
        let server = try await RPCServer.start(
            on: [ListeningEndpoint(.tcp(host: "127.0.0.1", port: 0))],
            services: CharacterService(catalog: GatewayCatalog(answers: answers), store: store).services,
            configuration: ServerConfiguration(),
            logger: Logger(label: "test")
        )
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(Stage(address: server.addresses[0], gateway: gateway, counts: counts)))
        } catch {
            result = .failure(error)
        }
        gateway.answerAll()
        server.stop()
        await server.run()
        await store.close()
        return try result.get()
    }
}

/// A gateway without characters that holds every request until it is told to answer.
private final class HeldGateway: HTTPFetcher {
    private struct State {
        var queries: [String] = []
        var held: [CheckedContinuation<Void, Never>] = []
        var holds = true
    }

    private let state = Mutex(State())

    /// The queries of the requests, in the order in which they came.
    var queries: [String] { state.withLock(\.queries) }

    /// Answers the request that was held longest.
    func answerOne() {
        let held = state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }
        held?.resume()
    }

    /// Answers all that is held, and from now on at once.
    func answerAll() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.holds = false
            return state.held
        }
        for request in held { request.resume() }
    }

    func get(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
        let name = request.url.split(separator: "nameStartsWith=").last?.prefix { $0 != "&" } ?? ""
        let query = String(name).replacing("%20", with: " ")
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let holds = state.withLock { state in
                state.queries.append(query)
                if state.holds { state.held.append(continuation) }
                return state.holds
            }
            if !holds { continuation.resume() }
        }
        let data = #"{"offset":0,"limit":10,"total":0,"count":0,"results":[]}"#
        let body = #"{"code":200,"status":"Ok","attributionText":"-","etag":"-","data":\#(data)}"#
        return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
}
