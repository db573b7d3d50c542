internal import NIOCore
internal import RPCClient
internal import RPCCore
internal import WireMessages

package struct LoadRequests {
    private let plan: LoadPlan
    // Requests that are the same in each call are encoded once.
    private let pages: [EncodedRequest]
    private let streams: [EncodedRequest]
    private let listReads: [EncodedRequest]
    private let characters: [Int64]
    private let runName: String
    private var searches: Int
    private var toggles: Int
    private var listings: Int
    private let worker: Int

    /// `characters` are not empty if the plan toggles. `runName` has at most 12 characters, and differs for each run.
    init(
        _ plan: LoadPlan,
        characters: [Int64],
        worker: Int,
        runName: String
    ) {
        self.plan = plan
        let search = MarvelServiceMethods.searchCharacters.path
        // A single page is read like the answer of a unary call.
        pages = plan.queries.map { plan.encoded(search, plan.search($0, pages: 1).encoded()) }
        streams = plan.queries.map {
            plan.encoded(search, plan.search($0, pages: plan.maximumPages).encoded(), .serverStreaming)
        }
        listReads = (0..<plan.lists).map {
            let request = ListFavoritesRequest(list: LoadRequests.listName($0))
            return plan.encoded(MarvelServiceMethods.listFavorites.path, request.encoded())
        }
        self.characters = characters
        self.runName = runName
        self.worker = worker
        self.searches = worker
        self.toggles = worker
        self.listings = worker
    }

    /// The query index is 0 for an operation without a query.
    mutating func first(_ operation: LoadOperation) -> (encoded: EncodedRequest, query: Int) {
        switch operation {
        case .pages, .walk:
            let query = nextQuery()
            return (pages[query], query)
        case .stream:
            let query = nextQuery()
            return (streams[query], query)
        case .favorites:
            listings += 1
            return (listReads[listings % plan.lists], 0)
        case .toggle:
            return (plan.encoded(MarvelServiceMethods.toggleFavorite.path, toggle().encoded()), 0)
        }
    }

    func page(ofQuery query: Int, token: String) -> EncodedRequest {
        let request = plan.search(plan.queries[query], token: token, pages: 1)
        return plan.encoded(MarvelServiceMethods.searchCharacters.path, request.encoded())
    }

    private mutating func nextQuery() -> Int {
        searches += 1
        return searches % plan.queries.count
    }

    /// After a round through all lists, it takes the next character.
    private mutating func toggle() -> ToggleFavoriteRequest {
        toggles += 1
        return ToggleFavoriteRequest(
            list: LoadRequests.listName(toggles % plan.lists),
            characterID: characters[toggles / plan.lists % characters.count],
            requestID: "load-\(runName)-\(worker)-\(toggles)"
        )
    }

    /// Only load tests use it, so a test does not change other favorites.
    package static func listName(_ number: Int) -> String { "load-\(number + 1)" }
}

extension LoadPlan {
    fileprivate func encoded(
        _ method: MethodPath,
        _ request: ByteBuffer,
        _ kind: RPCMethod.Kind = .unary
    ) -> EncodedRequest {
        EncodedRequest(method, kind, request, timeout: timeout)
    }

    fileprivate func search(_ query: String, token: String = "", pages: Int) -> SearchCharactersRequest {
        SearchCharactersRequest(
            query: query,
            pageSize: Int32(clamping: pageSize),
            pageToken: token,
            maxPages: Int32(clamping: pages)
        )
    }
}
