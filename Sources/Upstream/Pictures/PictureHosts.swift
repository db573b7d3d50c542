/// The hosts from which pictures are fetched. A catalog names the address of each picture. Without this list, a catalog
/// could make this server send requests to any address, also inside its own network.
package struct PictureHosts: Sendable, Hashable {
    /// The original host of Marvel's pictures.
    package static let marvelHost = "i.annihil.us"

    private let authorities: Set<String>

    /// - Parameters:
    ///   - gateway: The gateway, whose host is allowed at its own port and at the default ports; nil if there is none.
    ///   - further: Hosts that the operator adds.
    package init(of gateway: GatewayURL?, further: [PictureHost] = []) {
        let own = gateway.map { [$0.host, $0.authority] } ?? []
        authorities = Set([PictureHosts.marvelHost] + own + further.map(\.authority))
    }

    func allow(_ address: GatewayURL) -> Bool { authorities.contains(address.authority) }
}

/// A host as an operator writes it: `HOST`, for http and https at their default ports, or `HOST:PORT`.
package struct PictureHost: Sendable, Hashable {
    let authority: String

    /// Reads the text; nil if it is not a host.
    package init?(_ text: String) {
        // A port 80 in the text is kept, because it is not the default port of https.
        guard !text.contains("/"), let url = try? GatewayURL("https://" + text) else { return nil }
        authority = url.authority
    }
}
