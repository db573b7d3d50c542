/// The hosts from which pictures are fetched. A catalog names the address of each picture, and what it names might be
/// anything, inside the network of this server too (RELIABILITY U1).
package struct PictureHosts: Sendable, Hashable {
    /// Where Marvel had its pictures.
    package static let marvels = "i.annihil.us"

    private let authorities: Set<String>

    /// - Parameters:
    ///   - gateway: Its own host is one, at its own port and at those of http and https. Nil: there is none.
    ///   - further: What the operator adds.
    package init(of gateway: GatewayURL?, further: [PictureHost] = []) {
        let own = gateway.map { [$0.host, $0.authority] } ?? []
        authorities = Set([PictureHosts.marvels] + own + further.map(\.authority))
    }

    func allow(_ address: GatewayURL) -> Bool { authorities.contains(address.authority) }
}

/// A host as an operator writes it: `HOST`, for http and https at their own ports, or `HOST:PORT`.
package struct PictureHost: Sendable, Hashable {
    let authority: String

    /// Nil if the text is something else.
    package init?(_ text: String) {
        // Under https, a port 80 that was given stays one.
        guard !text.contains("/"), let url = try? GatewayURL("https://" + text) else { return nil }
        authority = url.authority
    }
}
