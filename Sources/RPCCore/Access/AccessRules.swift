/// The rules that identify a connection's caller before it sends a token.
package struct AccessRules: Sendable {
    package enum Peer: Sendable, Hashable {
        case unix(user: UInt32?)
        case loopback
        case remote
    }

    /// The scopes of anonymous callers, at most `catalog:read`.
    package var anonymousGrants = Grants.none
    package var peerNames: [UInt32: String] = [:]
    /// Whether loopback peers are anonymous, as they are behind a proxy on this machine.
    package var distrustsLoopback = false
    package var ownUser: UInt32

    package init(ownUser: UInt32) { self.ownUser = ownUser }

    /// The principal of a connection without a token. `certificateName` is from the peer's verified certificate. The
    /// records in `table` give names their scopes. `now` is in seconds since 1970.
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
            // The socket's mode admits the caller, until the operator distinguishes users.
            return peerNames.isEmpty ? .local : anonymous
        }
    }

    private var anonymous: Principal { Principal(name: "", .none, anonymousGrants) }
}

extension AccessRules {
    /// The reason not to listen beyond this machine, for the operator; nil to listen.
    package static func problem(
        ofListeningAt remoteAddresses: [ServerAddress],
        hasTLS: Bool,
        hasTokens: Bool,
        hasClientCertificates: Bool,
        isInsecure: Bool
    ) -> String? {
        guard let address = remoteAddresses.first, !isInsecure else { return nil }
        let way =
            "listen at a loopback address or a unix socket, or use --insecure on a private network"
        if !hasTLS { return "\(address) is reachable from other machines without TLS: \(way)" }
        guard !hasTokens, !hasClientCertificates else { return nil }
        return "\(address) is reachable from other machines, but no token exists: "
            + "create one with marvel-server token create, \(way)"
    }
}
