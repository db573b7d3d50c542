/// The identity in whose name calls are made, and its permissions.
///
/// It is an object, so that it passes through a call as one reference. Calls of one token share it.
package final class Principal: Sendable {
    /// The fact that proved the identity.
    package enum Proof: Sendable, Hashable {
        /// The caller is on this machine.
        case local
        /// None: a stranger without a token.
        case none
        /// A token: the identifier and the digest of its record.
        case token(id: String, digest: [UInt8])
        /// A name that the system or a certificate vouches for.
        case name
    }

    /// A caller on this machine, who may do everything.
    package static let local = Principal(name: "", .local, Grants.all)

    /// The name; empty for callers without one. Request ids and quotas are kept by it.
    package let name: String
    package let proof: Proof
    package let grants: Grants
    /// The time at which the proof expires, in seconds since 1970; nil if it does not.
    package let expiry: Int64?

    package init(name: String, _ proof: Proof, _ grants: Grants, expiry: Int64? = nil) {
        self.name = name
        self.proof = proof
        self.grants = grants
        self.expiry = expiry
    }

    /// The maximum length of a name, in bytes.
    package static let maximumNameLength = 64

    /// Returns whether a text may be the name of a principal: 1 to 64 of `A-Z a-z 0-9 . _ @ -`.
    package static func isName(_ text: String) -> Bool {
        (1...maximumNameLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: [".", "_", "@", "-"].contains(Unicode.Scalar(byte))
                }
            }
    }

    /// Checks that the principal has permissions that concern no list.
    ///
    /// - Throws: `AccessFailure.tokenMissing`, or `.scopeMissing`.
    package func check(_ wanted: Permissions) throws(AccessFailure) {
        // The hot path.
        guard !grants.permissions.isSuperset(of: wanted) else { return }
        if let scope = grants.missing(of: wanted) { throw missing("\(scope)") }
    }

    /// Checks that the principal may use a list. It does not depend on whether the list exists.
    ///
    /// - Throws: `AccessFailure.tokenMissing`, or `.scopeMissing`.
    package func check(_ use: ListUse, list: String) throws(AccessFailure) {
        guard !grants.allows(use, list: list) else { return }
        throw missing(use == .reading ? "lists:read:\(list)" : "lists:write:\(list)")
    }

    private func missing(_ scope: String) -> AccessFailure {
        // A caller without a name cannot be given a scope, but a token.
        name.isEmpty ? .tokenMissing : .scopeMissing(principal: name, scope: scope)
    }
}

extension Principal: Hashable {
    package static func == (left: Principal, right: Principal) -> Bool {
        left === right
            || (left.name == right.name && left.proof == right.proof && left.grants == right.grants
                && left.expiry == right.expiry)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(proof)
    }
}

/// The reason that a call is not allowed.
package enum AccessFailure: Error, Sendable, Hashable {
    /// The caller has proved nothing, and the call needs it.
    case tokenMissing
    /// The token is malformed, unknown or revoked. The three are not told apart.
    case tokenInvalid
    case tokenExpired
    /// The token came over a connection that others can read.
    case tokenInClear
    /// The principal is known, and lacks a scope.
    case scopeMissing(principal: String, scope: String)
}
