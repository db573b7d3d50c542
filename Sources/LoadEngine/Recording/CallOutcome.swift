/// One finished call: a page, a stream, a walk over a complete result, a toggle or a list.
package struct CallOutcome: Sendable {
    package enum Verdict: Sendable, Hashable {
        case success
        /// A server returned an error. The latency is not counted, because refusals are fast.
        case failure(Failure)
        /// No server responded: the connection was lost, or none could be opened.
        case unreachable(Failure)
        /// The call's deadline passed. Its latency is counted, because leaving it out would make the percentiles too
        /// low.
        case timeout(Failure)

        /// The failure; nil if the call succeeded.
        package var failure: Failure? {
            switch self {
            case .success: nil
            case .failure(let failure), .unreachable(let failure), .timeout(let failure): failure
            }
        }

        /// Whether the latency is counted.
        package var hasLatency: Bool {
            switch self {
            case .success, .timeout: true
            case .failure, .unreachable: false
            }
        }
    }

    package var operation: Operation
    /// The time after the start of the run at which the call was sent, or at which it was due in the open model.
    package var due: Nanoseconds
    /// The latency, from the sending (closed model) or from the due time (open model).
    package var latency: Nanoseconds
    /// The time to the first page, measured like `latency`; nil if no page came, or the operation has only one page.
    package var firstPage: Nanoseconds?
    package var pages: Int
    /// The size of the response messages, in bytes, without what the wire adds.
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

/// A kind of failure, as failures are counted: the status code and the reason.
package struct Failure: Sendable, Hashable, Comparable {
    /// The status code's name: `UNAVAILABLE`.
    package var code: String
    /// The reason in the error, `STREAM_LIMIT`; empty if there is none.
    package var reason: String

    package init(code: String, reason: String) {
        self.code = code
        self.reason = reason
    }

    package static func < (left: Failure, right: Failure) -> Bool {
        (left.code, left.reason) < (right.code, right.reason)
    }
}
