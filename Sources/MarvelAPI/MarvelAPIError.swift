/// The reason why a gateway's response cannot be used. No text in here holds a key, a signature or a URL.
package enum MarvelAPIError: Error, Sendable, Hashable {
    /// The gateway does not accept our keys (401, 403, or 409 `MissingParameter`). A retry changes nothing.
    case credentials(CredentialsProblem)
    /// The quota of the keys is used up (429). Refused calls count too: send none before `retryAfter`, if it is known.
    case quota(retryAfter: Duration?)
    /// A parameter was refused: by the gateway (409), with its reason, or by this client, without a request.
    case rejected(String)
    /// There is no such character (404 of the entity layer).
    case notFound
    /// The gateway cannot respond now (5xx), or its response is unknown to the contract (redirects, or a 404 of the
    /// routing layer: this host does not serve the API).
    case unavailable(status: Int, retryAfter: Duration?)
    /// The response is not a complete page: HTML, truncated JSON, or a wrong shape.
    case invalidReply(String)
    /// There is no complete response.
    case transport(HTTPFetchError)

    /// The gateway's reason for refusing the credentials.
    package enum CredentialsProblem: Sendable, Hashable, CaseIterable {
        case missing
        case unknownKey
        case wrongSignature
        case notAllowed
    }
}

extension MarvelAPIError.CredentialsProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "it found no key, timestamp or hash in the request"
        case .unknownKey: "it does not know the public key"
        case .wrongSignature: "the private key does not belong to the public key"
        case .notAllowed: "they are not allowed to use this service"
        }
    }
}
