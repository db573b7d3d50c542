/// The record of a token, without the token itself.
///
/// A record without a digest gives a name its scopes. A certificate or the system proves the name.
package struct TokenRecord: Sendable, Hashable {
    package static let digestLength = 32

    /// The identifier for revoking and for logs.
    package var id: String
    package var name: String
    package var scopes: [Scope]
    /// The SHA-256 digest of the token, if the record has a token.
    package var digest: [UInt8]?
    package var createdAt: Int64
    /// In seconds since 1970; nil for never.
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
