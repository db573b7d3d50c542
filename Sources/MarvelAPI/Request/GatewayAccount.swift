/// A pair of keys in the gateway that issued them, and its permissions.
package struct GatewayAccount: Sendable, Hashable {
    package enum Standing: String, Sendable, Hashable, CaseIterable {
        case active
        /// The gateway knows the account, but the account may not use the service.
        case unentitled
        /// The account may use the service, but not the requested resource.
        case forbidden
    }

    package var keys: MarvelKeys
    package var standing: Standing

    package init(_ keys: MarvelKeys, standing: Standing = .active) {
        self.keys = keys
        self.standing = standing
    }
}
