internal import ArgumentParser
internal import GatewayHTTP
internal import MarvelDomain
internal import ProgramSupport
internal import RPCCore

struct AccessOptions: ParsableArguments {
    @Flag(help: "Accept any apikey, with or without ts and hash.")
    var anyKey = false

    @Option(
        help: ArgumentHelp(
            "Pages on this host may call with the apikey alone; * matches anything. May be repeated.",
            valueName: "host[/path]"
        )
    )
    var referer: [RefererPattern] = []

    /// - Throws: `StartupError` if no caller could be accepted.
    func keyRing(environment: [String: String]) throws(StartupError) -> KeyRing {
        let accounts = try GatewayAccount.all(environment: environment)
        guard anyKey || !accounts.isEmpty else {
            throw StartupError(
                .configuration,
                """
                no keys to accept: set MARVEL_PUBLIC_KEY and MARVEL_PRIVATE_KEY (or MARVEL_PRIVATE_KEY_FILE), \
                or MARVEL_KEYS_FILE, or start with --any-key
                """
            )
        }
        return KeyRing(accounts, acceptsAnyKey: anyKey, referers: referer)
    }
}

struct AnswerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address for pictures and rewritten links (default: the host in the request).",
            valueName: "http://host:port"
        )
    )
    var publicURL: PublicURL?

    @Flag(help: "Let resourceURI and collectionURI name this gateway instead of gateway.marvel.com.")
    var rewriteLinks = false

    var settings: GatewaySettings {
        var settings = GatewaySettings()
        settings.ownOrigin = publicURL?.text
        settings.rewritesLinks = rewriteLinks
        return settings
    }
}

struct FaultOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Delay answers: 250ms, or 50ms-2s for a random time in between.", valueName: "time"))
    var latency = LatencyRange.none

    @Option(help: ArgumentHelp("The share of answers that are an HTML error: 0.1 or 10%.", valueName: "share"))
    var errorRate = Ratio.none

    @Option(help: ArgumentHelp("The share of answers that break off in the middle.", valueName: "share"))
    var cutRate = Ratio.none

    @Option(help: ArgumentHelp("The share of answers with status 200 and wrong JSON.", valueName: "share"))
    var wrongJSONRate = Ratio.none

    @Option(help: ArgumentHelp("A key's quota: 3000/24h is 3000 calls in any 24 hours.", valueName: "calls/time"))
    var rateLimit: RollingQuota.Limit?

    var injection: FaultInjection {
        var faults = GatewaySettings().faultInjection
        (faults.latency, faults.errorShare, faults.cutShare) = (latency, errorRate, cutRate)
        faults.wrongJSONShare = wrongJSONRate
        return faults
    }
}
