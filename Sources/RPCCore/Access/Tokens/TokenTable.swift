internal import MarvelDomain

package struct TokenTable: Sendable {
    package let records: [TokenRecord]
    /// The tokens by the first eight bytes of their digests. The key is a hash of a secret, so lookup times reveal
    /// nothing.
    private let tokens: [UInt64: [Entry]]

    private struct Entry: Sendable {
        let digest: [UInt8]
        let principal: Principal
    }

    package init(_ records: [TokenRecord] = []) {
        self.records = records
        var tokens: [UInt64: [Entry]] = [:]
        for record in records {
            guard let digest = record.digest else { continue }
            let principal = Principal(
                name: record.name,
                .token(id: record.id, digest: digest),
                Grants(record.scopes),
                expiry: record.expiry
            )
            tokens[Self.key(of: digest), default: []].append(Entry(digest: digest, principal: principal))
        }
        self.tokens = tokens
    }

    /// The same object for each call. `now` is in seconds since 1970.
    ///
    /// - Throws: `AccessFailure.tokenInvalid`, or `.tokenExpired`.
    package func principal(of token: TokenText, at now: Int64) throws(AccessFailure) -> Principal {
        let digest = token.digest
        guard let entry = tokens[Self.key(of: digest)]?.first(where: { isEqualInConstantTime($0.digest, digest) })
        else { throw .tokenInvalid }
        if let expiry = entry.principal.expiry, expiry <= now { throw .tokenExpired }
        return entry.principal
    }

    /// Makes the principal of a proved name, with the scopes of all its records that have not expired.
    package func principal(named name: String, at now: Int64) -> Principal {
        let valid = records.filter { $0.name == name && !$0.isExpired(at: now) }
        let expiry = valid.compactMap(\.expiry).min()
        return Principal(name: name, .name, Grants(valid.flatMap(\.scopes)), expiry: expiry)
    }

    /// Checks that a principal of an earlier table or time still has its grants. A proved name may have more of them:
    /// a new record must not end its watches.
    ///
    /// - Throws: The reason if it lacks some.
    package func check(_ principal: Principal, at now: Int64) throws(AccessFailure) {
        switch principal.proof {
        case .local, .none: return
        case .name:
            let grants = self.principal(named: principal.name, at: now).grants
            guard grants.covers(principal.grants) else { throw .tokenInvalid }
        case .token(let id, let digest):
            guard let record = records.first(where: { $0.id == id }), record.digest == digest,
                record.name == principal.name, Grants(record.scopes) == principal.grants
            else { throw .tokenInvalid }
            if record.isExpired(at: now) { throw .tokenExpired }
        }
    }

    package func hasExpiry(after start: Int64, upTo end: Int64) -> Bool {
        records.contains { record in record.expiry.map { start < $0 && $0 <= end } ?? false }
    }

    private static func key(of digest: [UInt8]) -> UInt64 {
        digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
