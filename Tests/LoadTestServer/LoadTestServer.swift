internal import Logging
internal import MarvelDomain
internal import NIOCore
package import RPCCore
internal import RPCServer
internal import Synchronization
package import WireMessages

/// A server in the test's own process that answers as marvel-server does, quickly and from memory, and what it was asked.
package final class LoadTestServer: Sendable {
    /// The number of pages of every result.
    private static let pages = 3
    /// The characters on each page.
    package static let characters = [1_011_347, 1_009_610] as [Int64]

    package struct Seen: Sendable {
        package var searches: [SearchCharactersRequest] = []
        package var toggles: [ToggleFavoriteRequest] = []
        package var lists: [ListFavoritesRequest] = []
        package var deletions: [DeleteListRequest] = []
    }

    /// A list that has a favorite before the test.
    package static let keptList = "load-2"

    private let seenByNow = Mutex(Seen())
    private let server = Mutex<RPCServer?>(nil)

    package var seen: Seen { seenByNow.withLock { $0 } }
    package var address: ServerAddress { server.withLock { $0?.addresses.first } ?? .default }

    /// Runs a server while `body` runs.
    package static func run(
        maximumConnections: Int = 1_000,
        _ body: (LoadTestServer) async throws -> Void
    ) async throws {
        let stand = LoadTestServer()
        var configuration = ServerConfiguration()
        configuration.maximumConnections = maximumConnections
        configuration.drainTimeout = .milliseconds(10)
        let server = try await RPCServer.start(
            on: [ListeningEndpoint(.tcp(host: "127.0.0.1", port: 0))],
            services: [RPCService(name: "marvel.v1.MarvelService", methods: stand.methods)],
            configuration: configuration,
            logger: Logger(label: "test")
        )
        stand.server.withLock { $0 = server }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(stand))
        } catch {
            result = .failure(error)
        }
        await stand.stop()
        try result.get()
    }

    /// Returns when that many searches have come.
    package func searches(_ count: Int) async { while seen.searches.count < count { await Task.yield() } }

    /// May be called more than once.
    package func stop() async {
        let server = self.server.withLock { $0 }
        server?.stop()
        await server?.run()
    }

    // MARK: Methods

    private var methods: [RPCMethod] {
        [
            method("SearchCharacters", .serverStreaming, { $0.searches.append($1) }) {
                (request: SearchCharactersRequest) throws(RPCError) in
                switch request.query {
                case "fail": throw RPCError(.unavailable, reason: .upstreamUnavailable, "as asked")
                case "silent": .later { () async throws(RPCError) in await LoadTestServer.waitForCancellation() }
                case "endless": try Pages(number: 0, left: 1).next()
                default: try Pages(request).next()
                }
            },
            method("ToggleFavorite", .unary, { $0.toggles.append($1) }) { (_: ToggleFavoriteRequest) in
                .last(ToggleFavoriteResponse(isFavorite: true, revision: 1).encoded())
            },
            method("ListFavorites", .unary, { $0.lists.append($1) }) { (request: ListFavoritesRequest) in
                let kept = Favorite(
                    character: MarvelCharacter(id: LoadTestServer.characters[0], name: "Spider"),
                    savedAt: Timestamp(seconds: 1)
                )
                let favorites = request.list == LoadTestServer.keptList ? [kept] : []
                return .last(ListFavoritesResponse(favorites: favorites, revision: 1, capacity: 5).encoded())
            },
            method("DeleteList", .unary, { $0.deletions.append($1) }) { (_: DeleteListRequest) in
                .last(DeleteListResponse(revision: 2, existed: true).encoded())
            },
        ]
    }

    private func method<Request: WireMessage>(
        _ name: String,
        _ kind: RPCMethod.Kind,
        _ see: @escaping @Sendable (inout Seen, Request) -> Void,
        _ answer: @escaping @Sendable (Request) throws(RPCError) -> Step
    ) -> RPCMethod {
        RPCMethod(name: name, kind: kind) { [self] call throws(RPCError) in
            guard let request = try? Request(decoding: call.payload, limit: .request) else {
                throw RPCError(.internalError, "no \(name)")
            }
            seenByNow.withLock { see(&$0, request) }
            return try answer(request)
        }
    }

    private static func waitForCancellation() async -> Step {
        // Sleeps longer than any test runs: the call's deadline cancels it.
        try? await Task.sleep(for: .seconds(3_600))
        return .end
    }

    private final class Pages: MessageSource {
        private let number: Int
        private let left: Int

        init(number: Int, left: Int) {
            self.number = number
            self.left = left
        }

        convenience init(_ request: SearchCharactersRequest) {
            let number = Int(request.pageToken) ?? 0
            let asked = request.maxPages == 0 ? .max : Int(request.maxPages)
            self.init(number: number, left: min(asked, LoadTestServer.pages - number))
        }

        func next() throws(RPCError) -> Step {
            guard left > 0 else { return .end }
            let isLast = number + 1 == LoadTestServer.pages
            let page = SearchCharactersResponse(
                characters: LoadTestServer.characters.map { MarvelCharacter(id: $0, name: "Spider \($0)") },
                total: 6,
                nextPageToken: isLast ? "" : "\(number + 1)"
            )
            return .encoded(page.encoded(), then: Pages(number: number + 1, left: left - 1))
        }
    }
}
