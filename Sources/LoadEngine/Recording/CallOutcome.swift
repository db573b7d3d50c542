/// One finished call: a page, a stream, a walk over a whole result, a toggle or a list.
package struct CallOutcome: Sendable {
    package enum Verdict: Sendable, Hashable {
        case success
        /// A server answered with an error. Its latency says nothing: a refusal is quick.
        case failure(Failure)
        /// No server answered: the connection was lost, or none could be opened.
        case unreachable(Failure)
        /// Its time was up: it took at least so long, and leaving that out would flatter the percentiles.
        case timeout(Failure)

        /// The reason that it failed; nil if it succeeded.
        package var failure: Failure? {
            switch self {
            case .success: nil
            case .failure(let failure), .unreachable(let failure), .timeout(let failure): failure
            }
        }

        /// Whether its latency is counted.
        package var hasLatency: Bool {
            switch self {
            case .success, .timeout: true
            case .failure, .unreachable: false
            }
        }
    }

    package var operation: Operation
    /// When it was sent, or in the open model when it was due; after the start of the run.
    package var due: Nanoseconds
    /// Closed model: since it was sent. Open model: since it was due.
    package var latency: Nanoseconds
    /// Until the first page was here, counted like `latency`; nil if none came, or if it is no call of many pages.
    package var firstPage: Nanoseconds?
    package var pages: Int
    /// Of the answers, as they were on the wire.
    package var bytes: Int
    package var verdict: Verdict

    package init(
        operation: Operation,
        due: Nanoseconds,
        latency: Nanoseconds,
        firstPage: Nanoseconds? = nil,
        pages: Int = 0,
        bytes: Int = 0,
        verdict: Verdict = .success
    ) {
        self.operation = operation
        self.due = due
        self.latency = latency
        self.firstPage = firstPage
        self.pages = pages
        self.bytes = bytes
        self.verdict = verdict
    }
}
