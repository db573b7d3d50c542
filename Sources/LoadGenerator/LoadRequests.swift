internal import HTTPTransport
internal import LoadEngine
internal import NIOCore
internal import RPCCore
internal import RPCTransport
internal import WireMessages

/// The encoded requests of one worker.
package struct LoadRequests {
    /// The requests to one server. Those that are the same in each call are encoded once.
    fileprivate struct ToServer {
        let page: RequestEncoder
        let toggle: RequestEncoder
        let pages: [EncodedRequest]
        let streams: [EncodedRequest]
        let lists: [EncodedRequest]
    }

    private let plan: LoadPlan
    private let servers: [ToServer]
    /// The ids of characters to save and remove.
    private let characters: [Int64]
    /// A text that makes this run's request ids unique.
    private let runName: String
    private var searches: Int
    private var toggles: Int
    private var listings: Int
    private let worker: Int

    /// - Parameters:
    ///   - plan: The settings of the test.
    ///   - servers: The servers.
    ///   - credentials: The token with which the calls are made; nil for none.
    ///   - characters: Characters that exist; not empty if the plan toggles.
    ///   - worker: The worker's number. Each worker begins at another position of the queries and lists.
    ///   - runName: A text of at most 12 characters, different for each run.
    init(
        _ plan: LoadPlan,
        servers: [ServerEndpoint],
        credentials: ClientCredentials?,
        characters: [Int64],
        worker: Int,
        runName: String
    ) {
        self.plan = plan
        self.servers = servers.map { ToServer(plan, $0, credentials) }
        self.characters = characters
        self.runName = runName
        self.worker = worker
        self.searches = worker
        self.toggles = worker
        self.listings = worker
    }

    /// Returns the first request of an operation to a server, and the index of its query; 0 if it has none.
    mutating func first(_ operation: Operation, to server: Int) -> (encoded: EncodedRequest, query: Int) {
        switch operation {
        case .pages, .walk:
            let query = nextQuery()
            return (servers[server].pages[query], query)
        case .stream:
            let query = nextQuery()
            return (servers[server].streams[query], query)
        case .favorites:
            listings += 1
            return (servers[server].lists[listings % plan.lists], 0)
        case .toggle:
            return (servers[server].toggle(toggle().encoded()), 0)
        }
    }

    /// Returns the request for a further page of a walk, by the page token `token`.
    func page(ofQuery query: Int, token: String, to server: Int) -> EncodedRequest {
        servers[server].page(plan.search(plan.queries[query], token: token, pages: 1).encoded())
    }

    private mutating func nextQuery() -> Int {
        searches += 1
        return searches % plan.queries.count
    }

    /// Returns a toggle of the next list. After a round through all lists, it takes the next character.
    private mutating func toggle() -> ToggleFavoriteRequest {
        toggles += 1
        return ToggleFavoriteRequest(
            list: LoadRequests.listName(toggles % plan.lists),
            characterID: characters[toggles / plan.lists % characters.count],
            requestID: "load-\(runName)-\(worker)-\(toggles)"
        )
    }

    /// Returns the name of a list that only load tests use, so that a test does not change other favorites.
    package static func listName(_ number: Int) -> String { "load-\(number + 1)" }
}

extension LoadRequests.ToServer {
    init(_ plan: LoadPlan, _ server: ServerEndpoint, _ credentials: ClientCredentials?) {
        func encoder(_ method: MethodPath, _ kind: RPCCore.Method.Kind = .unary) -> RequestEncoder {
            ClientWire(server.wire).encoder(
                RequestTemplate(
                    method,
                    kind,
                    timeout: plan.timeout,
                    server: server,
                    software: LoadLink.software,
                    credentials: credentials
                )
            )
        }
        let search = MarvelServiceMethods.searchCharacters.path
        // A single page is read like the answer of a unary call.
        let page = encoder(search)
        let stream = encoder(search, .serverStreaming)
        let list = encoder(MarvelServiceMethods.listFavorites.path)
        self.page = page
        self.toggle = encoder(MarvelServiceMethods.toggleFavorite.path)
        self.pages = plan.queries.map { page(plan.search($0, pages: 1).encoded()) }
        self.streams = plan.queries.map { stream(plan.search($0, pages: plan.maximumPages).encoded()) }
        self.lists = (0..<plan.lists).map { list(ListFavoritesRequest(list: LoadRequests.listName($0)).encoded()) }
    }
}

extension LoadPlan {
    fileprivate func search(_ query: String, token: String = "", pages: Int) -> SearchCharactersRequest {
        SearchCharactersRequest(
            query: query,
            pageSize: Int32(clamping: pageSize),
            pageToken: token,
            maxPages: Int32(clamping: pages)
        )
    }
}
