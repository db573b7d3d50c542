package import MarvelDomain

/// The accounts that a gateway accepts, and the strictness of the check.
package struct KeyRing: Sendable {
    private let accounts: [String: GatewayAccount]
    /// Whether every public key is accepted, with or without a hash and a timestamp.
    package let acceptsAnyKey: Bool
    /// Pages that may send requests with the public key alone; empty to allow none.
    private let referers: [RefererPattern]

    /// - Parameters:
    ///   - accounts: The accounts; a later one replaces an earlier one with the same public key.
    ///   - acceptsAnyKey: Whether to accept any key, for old programs whose keys are lost.
    ///   - referers: Pages that may send requests with a known key, without ts and hash.
    package init(_ accounts: [GatewayAccount], acceptsAnyKey: Bool = false, referers: [RefererPattern] = []) {
        self.accounts = Dictionary(
            accounts.map { ($0.keys.publicKey, $0) },
            uniquingKeysWith: { _, later in later }
        )
        self.acceptsAnyKey = acceptsAnyKey
        self.referers = referers
    }

    package var accountCount: Int { accounts.count }

    /// Checks the credentials by the rules of the contract, in its order: missing key, missing hash, missing timestamp,
    /// unknown key, account without access to the service, invalid referer or signature, forbidden account.
    /// `.forbidden` comes last, so that only the account itself learns of it.
    ///
    /// - Returns: The public key of the caller.
    /// - Throws: The first error that applies.
    func check(_ credentials: Credentials) throws(GatewayError) -> String {
        guard let key = credentials.key else { throw .missingKey }
        let page = browserReferer(credentials)
        if page == nil && !acceptsAnyKey {
            guard credentials.hash != nil else { throw .missingHash }
            guard credentials.timestamp != nil else { throw .missingTimestamp }
        }
        let account = accounts[key]
        guard account != nil || acceptsAnyKey && !key.isEmpty else { throw .invalidKey }
        guard account?.status != .unentitled else { throw .notEntitled }
        if let page {
            guard acceptsAnyKey || referers.contains(where: { $0.matches(page) }) else { throw .invalidReferer }
        } else {
            guard acceptsAnyKey || isSigned(credentials, by: account) else { throw .invalidSignature }
        }
        guard account?.status != .forbidden else { throw .forbidden }
        return key
    }

    private func isSigned(_ credentials: Credentials, by account: GatewayAccount?) -> Bool {
        guard let account, let hash = credentials.hash, let timestamp = credentials.timestamp else { return false }
        return !timestamp.isEmpty && MarvelSignature.isValid(hash, timestamp: timestamp, keys: account.keys)
    }

    /// Returns the page of a request that has only a page and a public key.
    private func browserReferer(_ credentials: Credentials) -> String? {
        guard !referers.isEmpty, credentials.hash == nil, credentials.timestamp == nil else { return nil }
        return credentials.referer
    }
}

/// The credentials of a request. Nil means absent, which differs from empty.
struct Credentials: Sendable, Hashable {
    var key: String?
    var timestamp: String?
    var hash: String?
    /// The page whose script sends the request, if a browser sends it.
    var referer: String?
}

extension Credentials {
    init(_ parameters: QueryParameters, referer: String?) {
        self.init(key: parameters["apikey"], timestamp: parameters["ts"], hash: parameters["hash"], referer: referer)
    }
}
