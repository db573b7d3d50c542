/// The record of a token: everything about it but the token itself.
///
/// A record without a digest gives a name its scopes, for callers whose name a certificate or the system vouches for.
package struct TokenRecord: Sendable, Hashable {
    /// The length of a SHA-256 digest, in bytes.
    package static let digestLength = 32

    /// The identifier, by which a token is revoked and named in logs.
    package var id: String
    /// The name of the principal. Several records may have the same.
    package var name: String
    package var scopes: [Scope]
    /// The SHA-256 digest of the token; nil if there is none.
    package var digest: [UInt8]?
    /// The time of its creation, in seconds since 1970.
    package var createdAt: Int64
    /// The time from which it is not valid, in seconds since 1970; nil if it does not expire.
    package var expiry: Int64?

    package init(
        id: String,
        name: String,
        scopes: [Scope],
        digest: [UInt8]?,
        createdAt: Int64,
        expiry: Int64? = nil
    ) {
        self.id = id
        self.name = name
        self.scopes = scopes
        self.digest = digest
        self.createdAt = createdAt
        self.expiry = expiry
    }

    package func isExpired(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }
}
