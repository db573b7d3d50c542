internal import LoadEngine
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The encoded requests of one worker. Requests that are the same in each call are encoded once.
struct LoadRequests {
    private let plan: LoadPlan
    private let timeout: Int64
    private let pages: [ByteBuffer]
    private let streams: [ByteBuffer]
    private let lists: [ByteBuffer]
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
    ///   - characters: Characters that exist; not empty if the plan toggles.
    ///   - worker: The worker's number. Each worker begins at another position of the queries and lists.
    ///   - runName: A text of at most 12 characters, different for each run.
    init(_ plan: LoadPlan, characters: [Int64], worker: Int, runName: String) {
        let timeout = plan.timeout.inNanoseconds
        func search(_ query: String, pages: Int) -> ByteBuffer {
            let request = LoadRequests.search(query, plan, token: "", pages: pages)
            return LoadRequests.envelope(MarvelServiceMethods.searchCharacters, request, timeout)
        }
        self.plan = plan
        self.timeout = timeout
        self.pages = plan.queries.map { search($0, pages: 1) }
        self.streams = plan.queries.map { search($0, pages: plan.maximumPages) }
        self.lists = (0..<plan.lists).map { number in
            let request = ListFavoritesRequest(list: LoadRequests.listName(number))
            return LoadRequests.envelope(MarvelServiceMethods.listFavorites, request, timeout)
        }
        self.characters = characters
        self.runName = runName
        self.worker = worker
        self.searches = worker
        self.toggles = worker
        self.listings = worker
    }

    /// Returns the first request of an operation, and the index of its query; 0 if it has none.
    mutating func first(_ operation: Operation) -> (envelope: ByteBuffer, query: Int) {
        switch operation {
        case .pages, .walk:
            let query = nextQuery()
            return (pages[query], query)
        case .stream:
            let query = nextQuery()
            return (streams[query], query)
        case .favorites:
            listings += 1
            return (lists[listings % lists.count], 0)
        case .toggle:
            return (toggle(), 0)
        }
    }

    /// Returns the request for a further page of a walk, by the page token `token`.
    func page(ofQuery query: Int, token: String) -> ByteBuffer {
        LoadRequests.envelope(
            MarvelServiceMethods.searchCharacters,
            LoadRequests.search(plan.queries[query], plan, token: token, pages: 1),
            timeout
        )
    }

    private mutating func nextQuery() -> Int {
        searches += 1
        return searches % plan.queries.count
    }

    /// Returns a toggle of the next list. After a round through all lists, it takes the next character.
    private mutating func toggle() -> ByteBuffer {
        toggles += 1
        let request = ToggleFavoriteRequest(
            list: LoadRequests.listName(toggles % plan.lists),
            characterID: characters[toggles / plan.lists % characters.count],
            requestID: "load-\(runName)-\(worker)-\(toggles)"
        )
        return LoadRequests.envelope(MarvelServiceMethods.toggleFavorite, request, timeout)
    }

    /// Returns the name of a list that only load tests use, so that a test does not change other favorites.
    private static func listName(_ number: Int) -> String { "load-\(number + 1)" }

    private static func search(
        _ query: String,
        _ plan: LoadPlan,
        token: String,
        pages: Int
    ) -> SearchCharactersRequest {
        SearchCharactersRequest(
            query: query,
            pageSize: Int32(clamping: plan.pageSize),
            pageToken: token,
            maxPages: Int32(clamping: pages)
        )
    }

    private static func envelope<Request>(
        _ method: MethodDescriptor<Request, some WireMessage>,
        _ request: Request,
        _ timeout: Int64
    ) -> ByteBuffer {
        RequestEnvelope(
            service: method.path.service,
            method: method.path.method,
            payload: request.encoded(),
            timeoutNanoseconds: timeout
        ).encoded()
    }
}
