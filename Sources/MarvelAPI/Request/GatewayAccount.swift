/// A pair of keys as the gateway that gave them out knows it.
package struct GatewayAccount: Sendable, Hashable {
    package enum Standing: String, Sendable, Hashable, CaseIterable {
        case active
        /// Known, and not entitled to the service (MARVEL_API section 2, row 7).
        case unentitled
        /// Entitled to the service, and not to what it asks for (MARVEL_API section 2, "Forbidden").
        case forbidden
    }

    package var keys: MarvelKeys
    package var standing: Standing

    package init(_ keys: MarvelKeys, standing: Standing = .active) {
        self.keys = keys
        self.standing = standing
    }
}
