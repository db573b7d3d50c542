import Testing

@testable import RPCCore

@Suite struct AccessRulesTests {
    private static let table = TokenTable([
        TokenRecord(id: "1", name: "web", scopes: [.catalogRead], digest: nil, createdAt: 0)
    ])

    private func principal(_ peer: AccessRules.Peer, _ rules: AccessRules, certificate: String? = nil) -> Principal {
        rules.principal(of: peer, certificateName: certificate, in: Self.table, at: 0)
    }

    @Test func callersOnThisMachineMayDoEverything() {
        let rules = AccessRules(ownUser: 1000)
        for peer in [.loopback, .unix(user: 1000), .unix(user: 0), .unix(user: 5), .unix(user: nil)]
            as [AccessRules.Peer]
        {
            #expect(principal(peer, rules) == .local)
        }
        #expect(principal(.remote, rules).grants == .none)
    }

    @Test func strangersHaveTheScopesThatTheOperatorGives() {
        var rules = AccessRules(ownUser: 1000)
        rules.anonymousGrants = Grants([.catalogRead])
        #expect(principal(.remote, rules).grants == Grants([.catalogRead]))
        #expect(principal(.remote, rules).name.isEmpty)
        rules.distrustsLoopback = true
        #expect(principal(.loopback, rules).grants == Grants([.catalogRead]))
        #expect(principal(.unix(user: 1000), rules) == .local)
    }

    @Test func usersAreDistinguishedOnceOneIsNamed() {
        var rules = AccessRules(ownUser: 1000)
        rules.peerNames = [33: "web"]
        #expect(principal(.unix(user: 33), rules).name == "web")
        #expect(principal(.unix(user: 33), rules).grants == Grants([.catalogRead]))
        #expect(principal(.unix(user: 34), rules).grants == .none)
        #expect(principal(.unix(user: nil), rules).grants == .none)
        #expect(principal(.unix(user: 1000), rules) == .local)
    }

    @Test func aCertificateNamesItsOwner() {
        let rules = AccessRules(ownUser: 1000)
        #expect(principal(.remote, rules, certificate: "web").grants == Grants([.catalogRead]))
        #expect(principal(.loopback, rules, certificate: "nobody").grants == .none)
    }

    @Test(arguments: [
        // remote, TLS, tokens, client certificates, insecure, allowed
        (false, false, false, false, false, true),
        (true, false, false, false, false, false),
        (true, false, true, false, false, false),
        (true, true, false, false, false, false),
        (true, true, true, false, false, true),
        (true, true, false, true, false, true),
        (true, false, false, false, true, true),
    ])
    func beyondLoopbackAServerNeedsTLSAndTokens(
        _ isRemote: Bool,
        _ hasTLS: Bool,
        _ hasTokens: Bool,
        _ hasCertificates: Bool,
        _ isInsecure: Bool,
        _ isAllowed: Bool
    ) {
        let problem = AccessRules.problem(
            ofListeningAt: isRemote ? [.tcp(host: "0.0.0.0", port: 6160)] : [],
            hasTLS: hasTLS,
            hasTokens: hasTokens,
            hasClientCertificates: hasCertificates,
            isInsecure: isInsecure
        )
        #expect((problem == nil) == isAllowed)
        if let problem { #expect(problem.contains("0.0.0.0:6160") && problem.contains("--insecure")) }
    }
}
