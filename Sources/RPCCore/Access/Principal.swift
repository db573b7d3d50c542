/// The identity of a caller, and its permissions.
///
/// It is an object, so that it passes through a call as one reference. Calls of one token share it.
package final class Principal: Sendable {
    package enum Proof: Sendable, Hashable {
        case local
        /// An anonymous caller without a token.
        case none
        /// A token: the identifier and the digest of its record.
        case token(id: String, digest: [UInt8])
        /// A name that the system or a certificate proves.
        case name
    }

    package static let local = Principal(name: "", .local, Grants.all)

    /// Empty for callers without a name. Request ids and quotas belong to it.
    package let name: String
    package let proof: Proof
    package let grants: Grants
    /// When the proof expires, in seconds since 1970; nil for never.
    package let expiry: Int64?

    package init(name: String, _ proof: Proof, _ grants: Grants, expiry: Int64? = nil) {
        self.name = name
        self.proof = proof
        self.grants = grants
        self.expiry = expiry
    }

    package static let maximumNameLength = 64

    /// Whether a text is a valid name: 1 to 64 of `A-Z a-z 0-9 . _ @ -`.
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

    /// - Throws: `AccessFailure.tokenMissing`, or `.scopeMissing`.
    package func check(_ wanted: Permissions) throws(AccessFailure) {
        guard !grants.permissions.isSuperset(of: wanted) else { return }
        if let scope = grants.missing(of: wanted) { throw missing("\(scope)") }
    }

    /// Independent of whether the list exists.
    ///
    /// - Throws: `AccessFailure.tokenMissing`, or `.scopeMissing`.
    package func check(_ use: ListUse, list: String) throws(AccessFailure) {
        guard !grants.allows(use, list: list) else { return }
        throw missing(use == .reading ? "lists:read:\(list)" : "lists:write:\(list)")
    }

    private func missing(_ scope: String) -> AccessFailure {
        // A caller without a name cannot get a scope, but it can get a token.
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

package enum AccessFailure: Error, Sendable, Hashable {
    case tokenMissing
    /// The token is malformed, unknown or revoked. Callers cannot tell which.
    case tokenInvalid
    case tokenExpired
    /// Others could read the token on this connection.
    case tokenInClear
    case scopeMissing(principal: String, scope: String)
}

/// The permissions that concern no list, as a set that one instruction compares.
package struct Permissions: OptionSet, Sendable, Hashable {
    @usableFromInline
    package let rawValue: UInt8

    package static let catalogRead = Permissions(rawValue: 1)
    package static let catalogEdit = Permissions(rawValue: 2)
    package static let admin = Permissions(rawValue: 4)

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    fileprivate var firstScope: Scope? {
        if contains(.catalogRead) { return .catalogRead }
        if contains(.catalogEdit) { return .catalogEdit }
        return contains(.admin) ? .admin : nil
    }
}

package enum ListUse: Sendable, Hashable {
    case reading
    case writing
}

package struct Grants: Sendable, Hashable {
    package static let all = Grants(Scope.all)
    package static let none = Grants([])

    package let permissions: Permissions
    /// Precomputed, because most principals may read all lists, and need no comparison of names.
    package let readsAllLists: Bool
    private let readable: [ListPattern]
    private let writable: [ListPattern]

    package init(_ scopes: some Sequence<Scope>) {
        var permissions: Permissions = []
        var (readable, writable): ([ListPattern], [ListPattern]) = ([], [])
        for scope in scopes {
            switch scope {
            case .catalogRead: permissions.insert(.catalogRead)
            case .catalogEdit: permissions.insert(.catalogEdit)
            case .admin: permissions.insert(.admin)
            case .listsRead(let pattern): readable.append(pattern)
            case .listsWrite(let pattern):
                writable.append(pattern)
                readable.append(pattern)
            }
        }
        self.permissions = permissions
        self.readable = readable
        self.writable = writable
        readsAllLists = readable.contains(.all)
    }

    func covers(_ other: Grants) -> Bool {
        func covers(_ patterns: [ListPattern], _ others: [ListPattern]) -> Bool {
            others.allSatisfy { other in patterns.contains { $0.covers(other) } }
        }
        return permissions.isSuperset(of: other.permissions)
            && covers(readable, other.readable) && covers(writable, other.writable)
    }

    package func missing(of wanted: Permissions) -> Scope? {
        wanted.subtracting(permissions).firstScope
    }

    package func allows(_ use: ListUse, list: String) -> Bool {
        switch use {
        case .reading: readsAllLists || readable.contains { $0.covers(list) }
        case .writing: writable.contains { $0.covers(list) }
        }
    }
}

extension RPCError {
    /// Makes the error of a call that is not allowed. It names the missing scope, and reveals nothing about what
    /// exists.
    package init(_ failure: AccessFailure) {
        switch failure {
        case .tokenMissing:
            self.init(.unauthenticated, reason: .tokenMissing, "A token is needed.")
        case .tokenInvalid:
            self.init(.unauthenticated, reason: .tokenInvalid, "The token is invalid: ask the operator for a new one.")
        case .tokenExpired:
            self.init(.unauthenticated, reason: .tokenExpired, "The token has expired: ask the operator for a new one.")
        case .tokenInClear:
            self.init(
                .unauthenticated,
                reason: .tokenInClear,
                "The connection is not encrypted, so the token is not accepted: use TLS."
            )
        case .scopeMissing(let principal, let scope):
            self.init(
                .permissionDenied,
                reason: .scopeMissing,
                "\(principal) lacks \(scope).",
                metadata: ["principal": principal, "scope": scope]
            )
        }
    }
}

extension IncomingCall {
    /// Checks that the caller may use a list. Call it before reading the list.
    ///
    /// - Throws: TOKEN_MISSING or SCOPE_MISSING.
    package func check(_ use: ListUse, list: String) throws(RPCError) {
        do throws(AccessFailure) {
            try principal.check(use, list: list)
        } catch {
            throw RPCError(error)
        }
    }
}
