package import MarvelDomain

package struct KeyRing: Sendable {
    private let accounts: [String: GatewayAccount]
    package let acceptsAnyKey: Bool
    private let referers: [RefererPattern]

    package init(_ accounts: [GatewayAccount], acceptsAnyKey: Bool = false, referers: [RefererPattern] = []) {
        self.accounts = Dictionary(
            accounts.map { ($0.keys.publicKey, $0) },
            uniquingKeysWith: { _, later in later }
        )
        self.acceptsAnyKey = acceptsAnyKey
        self.referers = referers
    }

    package var accountCount: Int { accounts.count }

    /// The order of the contract: missing key, missing hash, missing timestamp, unknown key, account without access to
    /// the service, invalid referer or signature, forbidden account. `.forbidden` comes last, so that only the account
    /// itself learns of it. Returns the public key.
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

    private func browserReferer(_ credentials: Credentials) -> String? {
        guard !referers.isEmpty, credentials.hash == nil, credentials.timestamp == nil else { return nil }
        return credentials.referer
    }
}

/// Nil means absent, which differs from empty.
struct Credentials: Sendable, Hashable {
    var key: String?
    var timestamp: String?
    var hash: String?
    var referer: String?
}

extension Credentials {
    init(_ parameters: QueryParameters, referer: String?) {
        self.init(key: parameters["apikey"], timestamp: parameters["ts"], hash: parameters["hash"], referer: referer)
    }
}
