internal import Catalog
internal import MarvelAPI

extension SourceError {
    /// Makes the catalog's error from the error of a call to a gateway.
    init(_ error: MarvelAPIError) {
        switch error {
        case .credentials(let problem): self = .credentials(problem.description)
        case .quota(let delay): self = .quota(retryAfter: delay)
        case .rejected(let reason): self = .rejected(reason)
        case .notFound: self = .notFound
        case .unavailable(let status, let delay): self = .unavailable(status: status, retryAfter: delay)
        case .invalidReply(let reason): self = .invalidReply(reason)
        case .transport(let error): self.init(error)
        }
    }

    /// Makes the catalog's error from the error of an HTTP request.
    init(_ error: HTTPFetchError) {
        switch error {
        case .unreachable(let reason): self = .unreachable(reason)
        case .untrusted(let reason): self = .untrusted(reason)
        case .interrupted(let reason): self = .interrupted(reason)
        case .timedOut: self = .timedOut
        case .tooLarge(let maximum): self = .tooLarge(maximumByteCount: maximum)
        case .malformed(let reason): self = .invalidReply(reason)
        case .unsupportedURL: self = .failed("the address is not an http or https URL")
        case .overloaded(let maximum): self = .overloaded(maximumRequests: maximum)
        case .cancelled: self = .cancelled
        case .shutDown: self = .shutDown
        case .failed(let reason): self = .failed(reason)
        }
    }
}
