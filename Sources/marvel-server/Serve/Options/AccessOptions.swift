import Access
import ArgumentParser
import Foundation
import ProgramSupport
import RPCCore

/// The options for who may call, and what.
struct AccessOptions: ParsableArguments {
    @OptionGroup var file: TokenFileOptions

    @Option(
        help: ArgumentHelp(
            "What callers on other machines may do without a token: catalog:read, or none. (default: none)",
            valueName: "scopes"
        ),
        transform: AccessOptions.anonymousScopes
    )
    var anonymousScopes: [Scope] = []

    @Option(
        help: ArgumentHelp(
            "A user of this machine by number, and the name whose scopes it has at a unix socket: 33=web. May be repeated. "
                + "Once one is given, others than root and this user need a token.",
            valueName: "uid=name"
        ),
        transform: AccessOptions.peer
    )
    var peerPrincipal: [Peer] = []

    @Flag(help: "Callers at loopback addresses need a token too, as behind a proxy on this machine.")
    var requireTokens = false

    @Flag(
        help:
            "Listen beyond this machine without TLS or without tokens. Tokens are refused where others could read them."
    )
    var insecure = false

    /// A user of this machine and its name.
    struct Peer {
        var user: UInt32
        var name: String
    }

    var rules: AccessRules {
        var rules = AccessRules(ownUser: geteuid())
        rules.anonymousGrants = Grants(anonymousScopes)
        rules.peerNames = Dictionary(peerPrincipal.map { ($0.user, $0.name) }) { _, last in last }
        rules.distrustsLoopback = requireTokens
        return rules
    }

    /// Checks that callers from other machines are known, if there can be any.
    ///
    /// - Parameters:
    ///   - addresses: The addresses to listen on.
    ///   - hasTokens: Whether there is a token.
    ///   - tls: The options for TLS.
    /// - Throws: `StartupError` with what to do.
    func check(
        _ addresses: [ServerAddress],
        hasTokens: Bool,
        _ tls: TLSOptions
    ) throws(StartupError) {
        let facts = ListeningFacts(
            remoteAddresses: addresses.filter { !$0.isLocal }.map(\.description),
            hasTLS: tls.tlsCert != nil,
            hasTokens: hasTokens,
            hasClientCertificates: tls.tlsClientCA != nil,
            isInsecure: insecure
        )
        if let problem = facts.problem { throw StartupError(.configuration, problem) }
    }

    private static func anonymousScopes(_ text: String) throws -> [Scope] {
        switch text {
        case "none": []
        case "catalog:read": [.catalogRead]
        default:
            throw ValidationError("Callers without a token may have catalog:read or none: give others a token.")
        }
    }

    private static func peer(_ text: String) throws -> Peer {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let user = UInt32(parts[0]), Principal.isName(parts[1]) else {
            throw ValidationError("A peer is a user's number and a name, as in 33=web.")
        }
        return Peer(user: user, name: parts[1])
    }
}
