/// The rules by which the caller of a connection is known before it sends a token.
package struct AccessRules: Sendable {
    /// A caller as the system and the connection know it.
    package enum Peer: Sendable, Hashable {
        /// The other side of a unix socket, and the user that it runs as; nil if the system does not tell.
        case unix(user: UInt32?)
        /// A peer at an address of the loopback interface.
        case loopback
        /// A peer from elsewhere.
        case remote
    }

    /// The scopes of strangers. `catalog:read` at most.
    package var anonymousGrants = Grants.none
    /// The names of other users of this machine, at a unix socket.
    package var peerNames: [UInt32: String] = [:]
    /// Whether a peer at a loopback address is a stranger, as it is behind a proxy on this machine.
    package var distrustsLoopback = false
    /// The user of this process.
    package var ownUser: UInt32

    package init(ownUser: UInt32) { self.ownUser = ownUser }

    /// Returns the principal of a connection whose peer has sent no token.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - certificateName: The name in the certificate that the peer has proved; nil if there is none.
    ///   - table: The tokens, whose records give names their scopes.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: The principal.
    package func principal(
        of peer: Peer,
        certificateName: String? = nil,
        in table: TokenTable,
        at now: Int64
    ) -> Principal {
        if let certificateName { return table.principal(named: certificateName, at: now) }
        switch peer {
        case .loopback: return distrustsLoopback ? anonymous : .local
        case .remote: return anonymous
        case .unix(let user):
            // Only root of this machine may become another user, and root may read the store.
            if let user, user == ownUser || user == 0 { return .local }
            if let user, let name = peerNames[user] { return table.principal(named: name, at: now) }
            // Whoever may open the socket was let in by its mode, until the operator tells users apart.
            return peerNames.isEmpty ? .local : anonymous
        }
    }

    private var anonymous: Principal { Principal(name: "", .none, anonymousGrants) }
}

/// The facts that decide whether a server may listen.
package struct ListeningFacts: Sendable {
    /// The addresses that other machines can reach.
    package var remoteAddresses: [String]
    /// Whether connections there are encrypted.
    package var hasTLS: Bool
    /// Whether there is a token.
    package var hasTokens: Bool
    /// Whether clients may prove their names by certificates.
    package var hasClientCertificates: Bool
    /// Whether the operator has asked for it.
    package var isInsecure: Bool

    package init(
        remoteAddresses: [String],
        hasTLS: Bool,
        hasTokens: Bool,
        hasClientCertificates: Bool,
        isInsecure: Bool
    ) {
        self.remoteAddresses = remoteAddresses
        self.hasTLS = hasTLS
        self.hasTokens = hasTokens
        self.hasClientCertificates = hasClientCertificates
        self.isInsecure = isInsecure
    }

    /// The reason not to listen, for the operator; nil if there is none.
    package var problem: String? {
        guard let address = remoteAddresses.first, !isInsecure else { return nil }
        let way =
            "listen at a loopback address or a unix socket, or start with --insecure if the network is yours alone"
        if !hasTLS { return "\(address) can be reached from other machines, and there is no TLS: \(way)" }
        guard !hasTokens, !hasClientCertificates else { return nil }
        return "\(address) can be reached from other machines, and there is no token: "
            + "make one with marvel-server token create, \(way)"
    }
}
