package import Catalog

/// A report of failed calls to one server, for the operator.
package struct UpstreamFailure: Sendable, Hashable {
    package var peer: SourceError.Peer
    /// The error of the last call that failed.
    package var error: SourceError
    /// The number of calls that failed with this error since the last report.
    package var count: Int

    package init(peer: SourceError.Peer, error: SourceError, count: Int) {
        self.peer = peer
        self.error = error
        self.count = count
    }

    package var text: String { error.text(about: peer) }
}

/// A rate limit on reports of failures: the first failure of each kind, and then one report a minute with their number.
struct FailureNotices: Sendable {
    static let interval = Duration.seconds(60)
    /// The maximum number of kinds. Further kinds are reported as one.
    private static let maximumKinds = 32

    private struct Notice {
        var last: Moment
        var unreported = 0
    }

    private var notices: [String: Notice] = [:]

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - kind: The kind of the failure. Failures of one kind are reported together.
    ///   - now: The current time.
    /// - Returns: The number of failures to report now; nil if no report is due.
    mutating func failed(_ kind: String, at now: Moment) -> Int? {
        let key = notices[kind] == nil && notices.count >= FailureNotices.maximumKinds ? "" : kind
        guard var notice = notices[key] else {
            notices[key] = Notice(last: now)
            return 1
        }
        defer { notices[key] = notice }
        notice.unreported += 1
        guard now - notice.last >= FailureNotices.interval else { return nil }
        defer { notice = Notice(last: now) }
        return notice.unreported
    }
}

extension SourceError {
    /// Whether the error is reported to the operator: it is neither an answer nor a cancellation by the caller.
    var isFailure: Bool {
        switch self {
        case .notFound, .cancelled, .shutDown: false
        default: true
        }
    }
}
