package import MarvelAPI

/// Who may ask: the key pairs that a gateway knows, and how strictly it looks at them.
package struct KeyRing: Sendable {
    private let pairs: [String: MarvelKeys]
    /// Whether every public key is known and every hash right, as long as they are there.
    package let acceptsAnyKey: Bool
    /// Pages that may ask with the public key alone; none turns that off.
    private let referers: [RefererPattern]

    /// - Parameters:
    ///   - pairs: A later pair replaces an earlier one of the same public key.
    ///   - acceptsAnyKey: For old programs whose keys nobody has any more.
    ///   - referers: Pages that may ask with a key that is known, without ts and hash.
    package init(_ pairs: [MarvelKeys], acceptsAnyKey: Bool = false, referers: [RefererPattern] = []) {
        self.pairs = Dictionary(pairs.map { ($0.publicKey, $0) }, uniquingKeysWith: { _, later in later })
        self.acceptsAnyKey = acceptsAnyKey
        self.referers = referers
    }

    package var pairCount: Int { pairs.count }

    /// Holds the credentials against the table of MARVEL_API section 2, rows 3 to 8, in that order.
    ///
    /// - Returns: The public key of the caller.
    /// - Throws: The first row that applies.
    package func check(_ credentials: Credentials) throws(GatewayError) -> String {
        guard let key = credentials.key else { throw .missingKey }
        if let referer = browserReferer(credentials) {
            guard knows(key) else { throw .invalidKey }
            guard referers.contains(where: { $0.matches(referer) }) else { throw .invalidReferer }
            return key
        }
        guard let hash = credentials.hash else { throw .missingHash }
        guard let timestamp = credentials.timestamp else { throw .missingTimestamp }
        guard knows(key) else { throw .invalidKey }
        if acceptsAnyKey { return key }
        guard let pair = pairs[key], !timestamp.isEmpty,
            MarvelSignature.isValid(hash, timestamp: timestamp, keys: pair)
        else { throw .invalidSignature }
        return key
    }

    private func knows(_ key: String) -> Bool { acceptsAnyKey ? !key.isEmpty : pairs[key] != nil }

    /// The page that asks, if this is a request that shows nothing but a page and a public key.
    private func browserReferer(_ credentials: Credentials) -> String? {
        guard !referers.isEmpty, credentials.hash == nil, credentials.timestamp == nil else { return nil }
        return credentials.referer
    }
}
