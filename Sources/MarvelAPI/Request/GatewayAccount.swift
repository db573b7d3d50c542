/// A pair of keys in the gateway that issued them, and its permissions.
package struct GatewayAccount: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case active
        /// The gateway knows the account, but the account may not use the service.
        case unentitled
        /// The account may use the service, but not the requested resource.
        case forbidden
    }

    package var keys: MarvelKeys
    package var status: Status

    package init(_ keys: MarvelKeys, status: Status = .active) {
        self.keys = keys
        self.status = status
    }
}
