package struct LoadPlan: Sendable, Hashable {
    package enum Model: Sendable, Hashable {
        /// A call starts when a previous one has ended, so the server sets the pace.
        case closed
        case open(Schedule)

        package var schedule: Schedule? {
            switch self {
            case .closed: nil
            case .open(let schedule): schedule
            }
        }
    }

    package var servers: [String] = []
    package var mix: Mix
    package var model = Model.closed
    /// From the command line: `500 calls a second`.
    package var modelText = ""
    package var connections = 1
    /// The maximum of calls in flight on each connection.
    package var concurrency = 1
    package var duration: Duration?
    package var total: Int?
    package var warmUp = Duration.zero
    package var timeout = Duration.seconds(30)
    package var queries = ["sp"]
    /// In characters; 0 for the server's default.
    package var pageSize = 0
    /// The pages of a stream or a walk; 0 for all.
    package var maximumPages = 0
    package var lists = 1

    package init(_ mix: Mix) { self.mix = mix }

    package var limit: RunLimit { RunLimit(time: duration, calls: total) }

    package var isOpen: Bool { model != .closed }
}
