package import MarvelAPI

/// Who may ask: the accounts that a gateway knows, and how strictly it looks at them.
package struct KeyRing: Sendable {
    private let accounts: [String: GatewayAccount]
    /// Whether every public key is known and every hash right, as long as they are there.
    package let acceptsAnyKey: Bool
    /// Pages that may ask with the public key alone; none turns that off.
    private let referers: [RefererPattern]

    /// - Parameters:
    ///   - accounts: A later one replaces an earlier one of the same public key.
    ///   - acceptsAnyKey: For old programs whose keys nobody has any more.
    ///   - referers: Pages that may ask with a key that is known, without ts and hash.
    package init(_ accounts: [GatewayAccount], acceptsAnyKey: Bool = false, referers: [RefererPattern] = []) {
        self.accounts = Dictionary(
            accounts.map { ($0.keys.publicKey, $0) },
            uniquingKeysWith: { _, later in later }
        )
        self.acceptsAnyKey = acceptsAnyKey
        self.referers = referers
    }

    package var accountCount: Int { accounts.count }

    /// Holds the credentials against the table of MARVEL_API section 2, rows 3 to 8, in that order. Who is forbidden is
    /// told so last of all: only the account itself learns of it.
    ///
    /// - Returns: The public key of the caller.
    /// - Throws: The first row that applies.
    package func check(_ credentials: Credentials) throws(GatewayError) -> String {
        guard let key = credentials.key else { throw .missingKey }
        let page = browserReferer(credentials)
        if page == nil {
            guard credentials.hash != nil else { throw .missingHash }
            guard credentials.timestamp != nil else { throw .missingTimestamp }
        }
        let account = accounts[key]
        guard account != nil || acceptsAnyKey && !key.isEmpty else { throw .invalidKey }
        guard account?.standing != .unentitled else { throw .notEntitled }
        if let page {
            guard referers.contains(where: { $0.matches(page) }) else { throw .invalidReferer }
        } else {
            guard acceptsAnyKey || isSigned(credentials, by: account) else { throw .invalidSignature }
        }
        guard account?.standing != .forbidden else { throw .forbidden }
        return key
    }

    private func isSigned(_ credentials: Credentials, by account: GatewayAccount?) -> Bool {
        guard let account, let hash = credentials.hash, let timestamp = credentials.timestamp else { return false }
        return !timestamp.isEmpty && MarvelSignature.isValid(hash, timestamp: timestamp, keys: account.keys)
    }

    /// The page that asks, if this is a request that shows nothing but a page and a public key.
    private func browserReferer(_ credentials: Credentials) -> String? {
        guard !referers.isEmpty, credentials.hash == nil, credentials.timestamp == nil else { return nil }
        return credentials.referer
    }
}
