internal import LoadEngine
internal import MarvelClient
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The requests of one worker as bytes. What is the same from call to call is encoded once.
struct RequestBook {
    private let plan: LoadPlan
    private let timeout: Int64
    private let pages: [ByteBuffer]
    private let streams: [ByteBuffer]
    private let lists: [ByteBuffer]
    /// Characters to save and remove.
    private let characters: [Int64]
    /// Makes the request ids of this run unlike those of any other.
    private let runName: String
    private var searches: Int
    private var toggles: Int
    private var listings: Int
    private let worker: Int

    /// - Parameters:
    ///   - plan: What to ask for.
    ///   - characters: Characters that exist; not empty if the plan toggles.
    ///   - worker: The worker's number: each begins at another place of queries and lists.
    ///   - runName: 12 characters or less.
    init(_ plan: LoadPlan, characters: [Int64], worker: Int, runName: String) {
        let timeout = plan.timeout.inNanoseconds
        func search(_ query: String, pages: Int) -> ByteBuffer {
            let request = RequestBook.search(query, plan, token: "", pages: pages)
            return RequestBook.envelope(MarvelServiceMethods.searchCharacters, request, timeout)
        }
        self.plan = plan
        self.timeout = timeout
        self.pages = plan.queries.map { search($0, pages: 1) }
        self.streams = plan.queries.map { search($0, pages: plan.maximumPages) }
        self.lists = (0..<plan.lists).map { number in
            let request = ListFavoritesRequest(list: RequestBook.listName(number))
            return RequestBook.envelope(MarvelServiceMethods.listFavorites, request, timeout)
        }
        self.characters = characters
        self.runName = runName
        self.worker = worker
        self.searches = worker
        self.toggles = worker
        self.listings = worker
    }

    /// The first request of a call of that kind, and the query it asks for, if any.
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

    /// The request for the page of a walk that `token` leads to.
    func page(ofQuery query: Int, token: String) -> ByteBuffer {
        RequestBook.envelope(
            MarvelServiceMethods.searchCharacters,
            RequestBook.search(plan.queries[query], plan, token: token, pages: 1),
            timeout
        )
    }

    private mutating func nextQuery() -> Int {
        searches += 1
        return searches % plan.queries.count
    }

    /// Goes through the lists, and takes another character each round.
    private mutating func toggle() -> ByteBuffer {
        toggles += 1
        let request = ToggleFavoriteRequest(
            list: RequestBook.listName(toggles % plan.lists),
            characterID: characters[toggles / plan.lists % characters.count],
            requestID: "load-\(runName)-\(worker)-\(toggles)"
        )
        return RequestBook.envelope(MarvelServiceMethods.toggleFavorite, request, timeout)
    }

    /// Lists of their own: a load test changes nobody's favorites.
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
