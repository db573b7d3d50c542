package import MarvelAPI

/// Failed calls to one server, as its operator is told of them.
package struct UpstreamFailure: Sendable, Hashable {
    package var peer: MarvelAPIError.Peer
    /// The error of the last call that failed.
    package var error: MarvelAPIError
    /// The number of calls that failed in this way since the last report.
    package var count: Int

    package init(peer: MarvelAPIError.Peer, error: MarvelAPIError, count: Int) {
        self.peer = peer
        self.error = error
        self.count = count
    }

    package var text: String { error.text(about: peer) }
}

/// Decides which failures are told: of each kind the first one, and then one a minute with the number of those between.
struct FailureNotices: Sendable {
    static let interval = Duration.seconds(60)
    /// More kinds are told as one.
    private static let maximumKinds = 32

    private struct Notice {
        var last: Moment
        var untold = 0
    }

    private var notices: [String: Notice] = [:]

    /// A call failed.
    ///
    /// - Parameters:
    ///   - kind: What the failures have in common that are told as one.
    ///   - now: The time.
    /// - Returns: How many failures are to be told of now; nil: none.
    mutating func failed(_ kind: String, at now: Moment) -> Int? {
        let key = notices[kind] == nil && notices.count >= FailureNotices.maximumKinds ? "" : kind
        guard var notice = notices[key] else {
            notices[key] = Notice(last: now)
            return 1
        }
        defer { notices[key] = notice }
        notice.untold += 1
        guard now - notice.last >= FailureNotices.interval else { return nil }
        defer { notice = Notice(last: now) }
        return notice.untold
    }
}

extension MarvelAPIError {
    /// Whether an operator wants to know: it is neither an answer nor the wish of whoever asked.
    var isFailure: Bool {
        switch self {
        case .notFound, .cancelled, .shutDown: false
        default: true
        }
    }
}
