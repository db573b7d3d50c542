internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

// Failures of the catalog, the gateway and the store, with the status that tells the caller the remedy.

extension RPCError {
    init(_ error: CatalogError) {
        switch error {
        case .matchUnsupported(let match): self = .matchUnsupported(MatchValue(match), supported: [.prefix])
        case .cancelled: self.init(.cancelled, reason: .cancelled, "the search was cancelled")
        case .overloaded(let maximum):
            let text = "\(maximum) searches are already queued, the maximum: try again later"
            self = .tryLater(.resourceExhausted, .searchOverloaded, text, ["maximum": "\(maximum)"])
        case .shareSpent(let maximum):
            let text = "this caller already has \(maximum) searches, its limit: wait for one to end"
            self = .tryLater(.resourceExhausted, .searchShare, text, ["maximum": "\(maximum)"])
        case .placeLost: self = .pageTokenOutdated()
        case .upstream(let failure): self.init(failure)
        }
    }

    /// The code tells the remedy: a retry (UNAVAILABLE, RESOURCE_EXHAUSTED), the operator (FAILED_PRECONDITION), or the
    /// authors (INTERNAL). `peer` is the server that failed.
    init(_ error: SourceError, of peer: SourceError.Peer = .gateway) {
        let text = error.text(about: peer)
        switch error {
        case .credentials(let problem):
            self.init(.failedPrecondition, reason: .upstreamCredentials, text, metadata: ["problem": "\(problem)"])
        case .untrusted(let cause):
            self.init(.failedPrecondition, reason: .upstreamUntrusted, text, metadata: ["cause": cause])
        case .quota(let delay):
            // Without the gateway's delay: the interval of quota probes.
            let metadata = delay.map { ["seconds": "\($0.secondsRoundedUp)"] } ?? [:]
            let retry = min(delay ?? SourceError.quotaProbeInterval, SourceError.longestRetryDelay)
            self = .tryLater(.resourceExhausted, .upstreamQuota, text, metadata, after: retry)
        case .budgetSpent(let calls, let delay):
            let metadata = ["maximum": "\(calls)", "seconds": "\(delay.secondsRoundedUp)"]
            self = .tryLater(.resourceExhausted, .budgetSpent, text, metadata, after: delay)
        case .shareSpent(let calls, let maximum, let delay):
            let metadata = ["calls": "\(calls)", "maximum": "\(maximum)", "seconds": "\(delay.secondsRoundedUp)"]
            self = .tryLater(.resourceExhausted, .budgetShare, text, metadata, after: delay)
        case .circuitOpen(let failure, let delay):
            let metadata = ["cause": failure, "seconds": "\(delay.secondsRoundedUp)"]
            self = .tryLater(.unavailable, .upstreamUnavailable, text, metadata, after: delay)
        case .overloaded(let maximum):
            self = .tryLater(.resourceExhausted, .upstreamOverloaded, text, ["maximum": "\(maximum)"])
        case .unavailable(let status, let delay):
            let retry = min(delay ?? .seconds(1), SourceError.longestRetryDelay)
            self = .tryLater(.unavailable, .upstreamUnavailable, text, ["status": "\(status)"], after: retry)
        case .unreachable(let cause), .interrupted(let cause):
            self = .tryLater(.unavailable, .upstreamUnavailable, text, ["cause": cause])
        case .timedOut:
            self = .tryLater(.unavailable, .upstreamUnavailable, text)
        case .shutDown:
            self = .tryLater(.unavailable, .draining, text)
        case .invalidReply(let cause):
            self.init(.unavailable, reason: .upstreamInvalid, text, metadata: ["cause": cause])
        case .tooLarge(let maximum):
            self.init(.unavailable, reason: .upstreamInvalid, text, metadata: ["maximum": "\(maximum)"])
        case .notFound:
            // A catalog reads this as "no such character"; as an answer to a search it is invalid.
            self.init(.unavailable, reason: .upstreamInvalid, text)
        case .rejected(let cause):
            self.init(.internalError, reason: .upstreamRejected, text, metadata: ["cause": cause])
        case .failed(let cause):
            self.init(.internalError, reason: .upstreamFailed, text, metadata: ["cause": cause])
        case .cancelled:
            self.init(.cancelled, reason: .cancelled, text)
        }
    }

    static func watchRefused(_ limit: WatchGate.Limit) -> RPCError {
        let (maximum, text) =
            switch limit {
            case .total(let maximum):
                (maximum, "this server already has \(maximum) watches, its limit: try again later")
            case .caller(let maximum): (maximum, "this caller already has \(maximum) watches, its limit: end one first")
            }
        return .tryLater(.resourceExhausted, .watchLimit, text, ["maximum": "\(maximum)"])
    }

    private static func tryLater(
        _ code: StatusCode,
        _ reason: ErrorReason,
        _ text: String,
        _ metadata: [String: String] = [:],
        after delay: Duration = .seconds(1)
    ) -> RPCError {
        RPCError(code, reason: reason, text, metadata: metadata, details: [.retryInfo(delay)])
    }

    /// The change may have been made.
    static func outcomeUnknown(_ reason: ErrorReason, _ cause: String) -> RPCError {
        let text = "it is unknown whether the change was made: \(cause)"
        return .tryLater(.unavailable, reason, text, ["cause": cause])
    }

    /// `cause` ends the text.
    static func unavailable(_ reason: ErrorReason, _ text: String, _ cause: String) -> RPCError {
        RPCError(.unavailable, reason: reason, "\(text): \(cause)", metadata: ["cause": cause])
    }

    static func limitReached(
        _ reason: ErrorReason,
        _ text: String,
        maximum: Int,
        subject: String
    ) -> RPCError {
        RPCError(
            .resourceExhausted,
            reason: reason,
            text,
            metadata: ["maximum": "\(maximum)"],
            details: [.quotaFailure([QuotaViolation(subject: subject, description: text)])]
        )
    }

    /// Nothing was changed, except perhaps after STORE_OUTCOME_UNKNOWN.
    init(_ error: StoreError) {
        switch error {
        case .requestIDReused:
            self = .invalid(
                "request_id",
                reason: .requestIDReused,
                "request_id was already used for another list, character or desired state: use a new one"
            )
        case .listLimitReached(let maximum):
            let text = "the server already has \(maximum) lists, its maximum: use an existing list"
            self = .limitReached(.listLimit, text, maximum: maximum, subject: "lists")
        case .ownedListLimitReached(let maximum):
            let text =
                maximum == 0
                ? "an anonymous caller must not create a list: send a token, or use an existing list"
                : "this caller already owns \(maximum) lists, its limit: delete one, or use an existing list"
            self = .limitReached(.listLimit, text, maximum: maximum, subject: "lists of the caller")
        case .overloaded:
            let text = "the store is overloaded: try again later"
            self = .tryLater(.resourceExhausted, .storeOverloaded, text)
        case .deadlineExceeded:
            self.init(.deadlineExceeded, reason: .deadlineExceeded, "the deadline passed, and nothing was changed")
        case .cancelled:
            self.init(.cancelled, reason: .cancelled, "the call was cancelled, and nothing was changed")
        case .notWritable(let cause): self = .unavailable(.storeReadOnly, "favorites are read-only now", cause)
        case .notReadable(let cause): self = .unavailable(.storeUnreadable, "favorites cannot be read now", cause)
        case .unavailable(let cause):
            let text = "favorites cannot be read or changed now: \(cause): try again later"
            self = .tryLater(.unavailable, .storeUnavailable, text, ["cause": cause])
        case .outcomeUnknown(let cause): self = .outcomeUnknown(.storeOutcomeUnknown, cause)
        case .characterExists, .editConflict, .editLimitReached: self.init(ofEdit: error)
        }
    }
}
