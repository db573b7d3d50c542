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
