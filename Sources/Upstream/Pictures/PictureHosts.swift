/// The hosts from which pictures are fetched.
///
/// A catalog names the address of each picture. Without this list, it could direct requests to any address, also inside
/// the server's network.
package struct PictureHosts: Sendable, Hashable {
    package static let marvelHost = "i.annihil.us"

    private let authorities: Set<String>

    /// Allows the gateway's host at its own port and at the default ports, and the operator's hosts.
    package init(of gateway: GatewayURL?, further: [PictureHost] = []) {
        let own = gateway.map { [$0.host, $0.authority] } ?? []
        authorities = Set([PictureHosts.marvelHost] + own + further.map(\.authority))
    }

    func allow(_ address: GatewayURL) -> Bool { authorities.contains(address.authority) }
}

/// A host as an operator writes it: `HOST`, for the default ports of http and https, or `HOST:PORT`.
package struct PictureHost: Sendable, Hashable {
    let authority: String

    package init?(_ text: String) {
        // Port 80 is kept, because it is not the default port of https.
        guard !text.contains("/"), let url = try? GatewayURL("https://" + text) else { return nil }
        authority = url.authority
    }
}
