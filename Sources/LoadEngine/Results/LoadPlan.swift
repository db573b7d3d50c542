/// What a load test is to do.
package struct LoadPlan: Sendable, Hashable {
    /// What makes calls start.
    package enum Model: Sendable, Hashable {
        /// A call starts when one before it has ended: the server sets the pace.
        case closed
        /// Calls start by the clock, whatever the answers do.
        case open(Schedule)

        package var schedule: Schedule? {
            switch self {
            case .closed: nil
            case .open(let schedule): schedule
            }
        }
    }

    /// Where to call; connections are dealt to the servers in turn.
    package var servers: [String]
    package var mix: Mix
    package var model: Model
    /// The model in words, as the command line had it: `500 calls a second`.
    package var modelText: String
    package var connections: Int
    /// Calls in flight on each connection, at most.
    package var concurrency: Int
    package var duration: Duration?
    package var total: Int?
    package var warmUp: Duration
    /// What one call may take.
    package var timeout: Duration
    /// What to search for, in turn.
    package var queries: [String]
    /// Characters in a page; 0 leaves it to the server.
    package var pageSize: Int
    /// Of a stream or a walk; 0 is all.
    package var maximumPages: Int
    /// Lists of favorites that calls are spread over.
    package var lists: Int

    package init(
        servers: [String],
        mix: Mix,
        model: Model,
        modelText: String,
        connections: Int,
        concurrency: Int,
        duration: Duration?,
        total: Int?,
        warmUp: Duration,
        timeout: Duration,
        queries: [String],
        pageSize: Int,
        maximumPages: Int,
        lists: Int
    ) {
        self.servers = servers
        self.mix = mix
        self.model = model
        self.modelText = modelText
        self.connections = connections
        self.concurrency = concurrency
        self.duration = duration
        self.total = total
        self.warmUp = warmUp
        self.timeout = timeout
        self.queries = queries
        self.pageSize = pageSize
        self.maximumPages = maximumPages
        self.lists = lists
    }

    package var limit: RunLimit { RunLimit(time: duration, calls: total) }

    package var isOpen: Bool { model != .closed }
}
