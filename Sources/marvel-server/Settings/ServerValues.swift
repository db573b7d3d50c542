import CatalogFiles
import FavoritesSQLite
import HTTPFraming
import MarvelService
import ProgramSupport
import RPCCore
import RPCServer
import Settings
import TransportSecurity
import Upstream

/// The values of all settings of the server. Only its table names them.
struct ServerValues: SettingValues {
    var framed: [PortAddress] = []
    var http: [PortAddress] = []
    var operations: [PortAddress] = []
    var corsOrigins: [String] = []
    var compressesAnswers = false
    var reflection: Bool?
    var showsPage = true

    var store: String?
    var durability = StoreDurability.full
    var capacity: Int?
    var maximumLists = 100_000
    var retention = StoreRetention()
    var listsPerCaller = 100

    var catalog = CatalogSource.builtIn
    var imageHosts: [PictureHost] = []
    var allowsEdits = false
    var cache: String?
    var cacheTimeToLive = CachePolicy().timeToLive
    var imageCacheBytes = 256 << 20
    var gatewayCallsPerDay = 3_000

    var tokens: String?
    var anonymousScopes: [Scope] = []
    var peers: [LocalPeer] = []
    var requiresTokens = false
    var isInsecure = false
    var certificate: String?
    var certificateKey: String?
    var clientAuthentication = ServerTLSFiles.ClientAuthentication.off
    var clientAuthorities: String?

    var server = ServerConfiguration()
    var watches = WatchLimits()
    var watchesPerCaller = 100
    var anonymousWatches = 8

    var logLevel = LogLevel.info
    var logFormat = LogFormat.json
    var logsCalls = true
    var slowCall = AccessLogRules().slowCall

    var callsPerSecond: Int {
        get { server.quotas.named.callsPerSecond }
        set { (server.quotas.named.callsPerSecond, server.quotas.named.callBurst) = (newValue, 2 * newValue) }
    }

    var anonymousCallsPerSecond: Int {
        get { server.quotas.anonymous.callsPerSecond }
        set { (server.quotas.anonymous.callsPerSecond, server.quotas.anonymous.callBurst) = (newValue, 3 * newValue) }
    }

    var watchLimits: WatchLimits {
        var limits = watches
        limits.maximumWatchesPerCaller = CallerShares(named: watchesPerCaller, anonymous: anonymousWatches)
        return limits
    }

    var accessLogRules: AccessLogRules? {
        guard logsCalls else { return nil }
        var rules = AccessLogRules()
        rules.slowCall = slowCall
        return rules
    }

    var contradictions: [String] {
        var problems: [String] = []
        for (key, addresses) in [("framed", framed), ("http", http), ("operations", operations)]
        where addresses.count > 1 && addresses.contains(.off) {
            problems.append("\(key).address is off, and has an address too: leave out one.")
        }
        if framed == [.off], http == [.off] {
            problems.append("framed.address and http.address are off: the server would take no calls.")
        }
        if (certificate == nil) != (certificateKey == nil) {
            problems.append("tls.cert and tls.key are given together.")
        }
        if certificate == nil, clientAuthentication != .off || clientAuthorities != nil {
            problems.append("tls.client-auth and tls.client-ca need tls.cert and tls.key.")
        }
        if (clientAuthentication == .off) != (clientAuthorities == nil) {
            problems.append("tls.client-auth optional or required, and tls.client-ca, are given together.")
        }
        return problems
    }
}

// MARK: The table

extension ServerValues {
    static let table = SettingsTable(
        ports + store + catalog + access + [logLevel.reloaded] + limits.map(\.reloaded) + fixedLimits + operations,
        removed: [
            "edits":
                "edits of characters are in the store now: leave it out. To keep the edits of that file, rename it to the "
                + "name of the store's file followed by .edits: the next start takes them over."
        ]
    )

    private static let ports: [Setting<ServerValues>] = [
        .list("framed.address", \.framed, "address", rule: PortAddress.rule, PortAddress.init)
            .help(
                "Where to listen for marvel: host:port, port 0 for any free one, unix:/path, or off. May be repeated."
            )
            .byDefault("\(ServerAddress.default)"),
        .list("http.address", \.http, "address", rule: PortAddress.rule, PortAddress.init)
            .help("Where to listen for gRPC, Connect and JSON over HTTP: an address, or off. May be repeated.")
            .byDefault("\(ServerAddress.defaultHTTP)"),
        .list("operations.address", \.operations, "address", rule: PortAddress.rule, PortAddress.init)
            .help("Where to listen for probes, metrics and the status page over HTTP: an address, or off.")
            .byDefault("\(ServerPort.defaultOperations)"),
        .list("cors.origin", \.corsOrigins, "origin", rule: "as https://example.org, without a path") {
            HTTPRules.isOrigin($0) ? $0 : nil
        }
        .help("A web site whose pages may call over HTTP: https://example.org. May be repeated."),
        .toggle("compress-answers", \.compressesAnswers)
            .help("Compress answers over HTTP for clients that accept gzip."),
        .toggle("reflection", \.reflection)
            .help("Whether callers, like grpcurl, may list the services; and /openapi.json.")
            .byDefault("on, if only this machine can call"),
        .value("page", \.showsPage, "on|off") { text throws(SettingRefusal) in
            switch text {
            case "on": true
            case "off": false
            default: throw SettingRefusal("it must be on or off")
            }
        } text: {
            $0 ? "on" : "off"
        }
        .help("Whether the HTTP port has a web page for people."),
    ]

    private static let store: [Setting<ServerValues>] = [
        .text("store", \.store, "store")
            .help("The file that keeps favorites, or the postgresql:// address of a database that servers share.")
            .byDefault("favorites.sqlite in $STATE_DIRECTORY, or in ~/.local/state/marvel-rpc"),
        .choice("durability", \.durability)
            .help("What an acknowledged toggle survives: full: a loss of power; process: a crash of the server."),
        .number("capacity", \.capacity, 1...100)
            .help("Favorites that a list holds. A longer list keeps them until the next save.")
            .byDefault("5, or as in the database"),
        .number("max-lists", \.maximumLists, 1 ... .max).help("Lists that the store holds."),
        .number("keep-answers", \.retention.answers, 1...1_000_000_000)
            .help("Answers that the store keeps for requests that are sent again, at least for 2 minutes."),
        .number("keep-changes", \.retention.changesPerList, 1...1_000_000)
            .help("Changes of each list that the store keeps for watches that resume."),
    ]

    private static let catalog: [Setting<ServerValues>] = [
        .value("catalog", \.catalog, "catalog") { text throws(SettingRefusal) in
            do throws(CatalogSource.Refusal) {
                return try CatalogSource(text)
            } catch {
                throw SettingRefusal("\(error)")
            }
        } text: {
            "\($0)"
        }
        .help("Where characters come from: builtin, synthetic:N, the URL of a gateway, or a catalog file."),
        .list("image-host", \.imageHosts, "host", rule: "a name, or name:port", PictureHost.init)
            .help("A further host that a gateway's pictures are fetched from: name, or name:port. May be repeated.")
            .byDefault("the gateway's own host and \(PictureHosts.marvelHost)"),
        .toggle("allow-edits", \.allowsEdits).help("Let whoever can connect add and edit characters."),
        .text("gateway.cache", \.cache)
            .help("The file that keeps a gateway's answers, the count of calls, and pictures, also those of favorites.")
            .byDefault("beside the store, its name and .cache"),
        .time("gateway.cache-ttl", \.cacheTimeToLive)
            .help("How long a gateway's answer is used before the gateway is asked whether it is still current."),
        .number("gateway.image-cache-bytes", \.imageCacheBytes, 0 ... .max, unit: "bytes")
            .help(
                "Bytes of pictures, without those of favorites, that the cache keeps; the least recently used go first."
            ),
        .number("gateway.calls-per-day", \.gatewayCallsPerDay, 1...1_000_000_000)
            .named("gateway-calls-per-day")
            .help("Calls to a gateway in any 24 hours, those that it refuses included. Pictures are no calls."),
    ]

    private static let access: [Setting<ServerValues>] = [
        .text("access.tokens", \.tokens)
            .help("The file that keeps tokens.")
            .byDefault("tokens.json beside the store"),
        .value("access.anonymous-scopes", \.anonymousScopes, "scopes") { text throws(SettingRefusal) in
            switch text {
            case "none": []
            case "catalog:read": [.catalogRead]
            default: throw SettingRefusal("it must be catalog:read or none: give others a token")
            }
        } text: {
            $0.first.map { "\($0)" } ?? "none"
        }
        .help("What callers on other machines may do without a token: catalog:read, or none."),
        .list("access.peer-principal", \.peers, "uid=name", rule: "a user's number and a name: 33=web", LocalPeer.init)
            .help("A user of this machine by number, and its name at unix sockets: 33=web. Others need a token then."),
        .toggle("access.require-tokens", \.requiresTokens)
            .help("Callers at loopback addresses need a token too, as behind a proxy on this machine."),
        .toggle("access.insecure", \.isInsecure)
            .help("Listen beyond this machine without TLS or tokens. No token is taken where others could read it."),
        .text("tls.cert", \.certificate)
            .help("The certificate for TLS of all ports but unix sockets: PEM, the server's own first.")
            .byDefault("clear text"),
        .text("tls.key", \.certificateKey).help("The key of the certificate: PEM, of a mode that keeps others out."),
        .choice("tls.client-auth", \.clientAuthentication).help("Whether clients show a certificate."),
        .text("tls.client-ca", \.clientAuthorities)
            .help("The authorities that issue certificates to clients: PEM. Public ones never count."),
    ]

    /// A running server takes them. Open connections keep the limits that they began with.
    private static let limits: [Setting<ServerValues>] = sizes + times + quotas

    private static let sizes: [Setting<ServerValues>] = [
        .number("limits.max-frame-bytes", \.server.limits.maximumFrameLength, 1...frameBytes, unit: "bytes")
            .help("Bytes of a frame's data; larger ones are refused."),
        .number("limits.max-streams", \.server.limits.maximumStreams, 1 ... .max)
            .help("Calls open at once on one connection."),
        .number("limits.max-connections", \.server.maximumConnections, 1 ... .max).help("Connections open at once."),
        .number("limits.max-connections-per-address", \.server.maximumConnectionsPerAddress, 1 ... .max)
            .help("Connections open at once from one address that is not this machine's own."),
        .number("limits.max-total-unsent-bytes", \.server.maximumTotalUnsentBytes, 1 ... .max, unit: "bytes")
            .help("Bytes that wait for all clients together before the connection with the most is closed."),
        .number("limits.max-total-inbound-bytes", \.server.maximumTotalInboundBytes, 1 ... .max, unit: "bytes")
            .help("Bytes of requests kept of all clients together before the connection with the most is closed."),
    ]

    private static let frameBytes = ServerConfiguration().limits.maximumFrameLength

    private static let times: [Setting<ServerValues>] = [
        .time("limits.frame-timeout", \.server.limits.frameTimeout)
            .help("How long a frame that has begun, or a connection's first one, may take."),
        .time("limits.write-timeout", \.server.limits.writeTimeout)
            .help("How long a client may read nothing of what waits for it."),
        .time("limits.credit-timeout", \.server.limits.creditTimeout)
            .help("How long a stream's next message may wait for the client's credit."),
        .time("limits.idle-timeout", \.server.limits.idleTimeout)
            .help("How long a connection over TCP may be without a call."),
        .time("limits.max-connection-age", \.server.maximumConnectionAge)
            .help("How old a connection over HTTP may become, a tenth more or less; then it drains.")
            .byDefault("any age"),
        .time("limits.keepalive-interval", \.server.limits.keepaliveInterval, atLeast: Keepalive.minimumInterval)
            .help("How long a client with the extensions may be silent before it is sent a Ping."),
        .time("limits.call-timeout", \.server.unaryTimeout).help("The deadline of single calls that name none."),
        .time("limits.drain-timeout", \.server.drainTimeout)
            .help("How long running calls may take when the server stops."),
    ]

    /// Quotas of callers that are not on the server's machine. 0 sets no limit.
    private static let quotas: [Setting<ServerValues>] = [
        .number("limits.calls-per-second", \.callsPerSecond, quota)
            .help("Calls a second of a caller with a name; twice as many after a pause. 0 for any number."),
        .number("limits.anonymous-calls-per-second", \.anonymousCallsPerSecond, quota)
            .help("Calls a second of an address without a name; three times as many after a pause. 0 for any number."),
        .number("limits.bytes-per-second", \.server.quotas.named.bytesPerSecond, quota, unit: "bytes")
            .help("Bytes a second that are read from a caller with a name. 0 for any number."),
        .number("limits.anonymous-bytes-per-second", \.server.quotas.anonymous.bytesPerSecond, quota, unit: "bytes")
            .help("Bytes a second that are read from an address without a name. 0 for any number."),
    ]

    private static let quota = 0...1_000_000_000

    private static let fixedLimits: [Setting<ServerValues>] = [
        .number("limits.max-unsent-bytes", \.server.limits.maximumUnsentBytes, 1 ... .max, unit: "bytes")
            .help("Bytes that wait for a client to read them before the server stops producing more for it."),
        .time("limits.keepalive-timeout", \.server.limits.keepaliveTimeout)
            .help("How long a client may stay silent after the Ping before it counts as gone."),
        .number("limits.max-watches", \.watches.maximumWatches, 1 ... .max)
            .help("Watches open at once; more are refused."),
        .number("limits.watches-per-caller", \.watchesPerCaller, quota)
            .help("Watches that a caller with a name may have open. 0 for any number."),
        .number("limits.anonymous-watches", \.anonymousWatches, quota)
            .help("Watches that an address without a name may have open. 0 for any number."),
        .number("limits.lists-per-caller", \.listsPerCaller, quota)
            .help("Lists that a caller with a name may own, which are those that it made. 0 for any number."),
    ]

    private static let logLevel: Setting<ServerValues> =
        .choice("log.level", \.logLevel).help("Log events of this level and above.")

    private static let operations: [Setting<ServerValues>] = [
        .choice("operations.log-format", \.logFormat).help("The form of the lines of the log."),
        .toggle("operations.access-log", \.logsCalls)
            .help("Log calls: all that fail or are slow, of the others 100 a second and then a sample."),
        .time("operations.slow-call", \.slowCall).help("The duration from which a call is slow."),
    ]
}

/// A user of this machine, and its name at a unix socket: `33=web`.
struct LocalPeer {
    let user: UInt32
    let name: String

    init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let user = UInt32(parts[0]), Principal.isName(parts[1]) else { return nil }
        (self.user, self.name) = (user, parts[1])
    }
}
