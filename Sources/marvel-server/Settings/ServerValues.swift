import CatalogFiles
import FavoritesPostgres
import FavoritesSQLite
import HTTPFraming
import MarvelService
import ProgramSupport
import RPCCore
import RPCServer
import Settings
import TransportSecurity
import Upstream

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
            problems.append("\(key).address is off, but also has an address: remove one of them.")
        }
        if framed == [.off], http == [.off] {
            problems.append("framed.address and http.address are off: the server would accept no calls.")
        }
        if (certificate == nil) != (certificateKey == nil) {
            problems.append("Set both tls.cert and tls.key.")
        }
        if certificate == nil, clientAuthentication != .off || clientAuthorities != nil {
            problems.append("tls.client-auth and tls.client-ca need tls.cert and tls.key.")
        }
        if (clientAuthentication == .off) != (clientAuthorities == nil) {
            problems.append("Set both tls.client-ca and tls.client-auth optional or required.")
        }
        if let store, isStoreDatabase {
            do throws(FavoritesDatabaseError) {
                _ = try DatabaseAddress(store)
            } catch {
                problems.append("\(error).")
            }
        }
        if isStoreDatabase, durability != .full {
            problems.append("durability applies only to a store in a file: a database has its own settings.")
        }
        if allowsEdits, case .gateway = catalog {
            problems.append("The characters of a gateway cannot be edited: remove allow-edits.")
        }
        return problems
    }
}

// MARK: The table

extension ServerValues {
    static let table = SettingsTable(
        ports + store + catalog + access + [logLevel.reloaded] + limits.map(\.reloaded) + fixedLimits + operations
    )

    private static let ports: [Setting<ServerValues>] = [
        .list("framed.address", \.framed, "address", rule: PortAddress.rule, PortAddress.init)
            .help(
                "The address for marvel: host:port (port 0 picks a free port), unix:/path, or off. May be repeated."
            )
            .byDefault("\(ServerAddress.default)"),
        .list("http.address", \.http, "address", rule: PortAddress.rule, PortAddress.init)
            .help("The address for gRPC, Connect and JSON over HTTP, or off. May be repeated.")
            .byDefault("\(ServerAddress.defaultHTTP)"),
        .list("operations.address", \.operations, "address", rule: PortAddress.rule, PortAddress.init)
            .help("The address for probes, metrics and the status page over HTTP, or off.")
            .byDefault("\(ServerPort.defaultOperations)"),
        .list("cors.origin", \.corsOrigins, "origin", rule: "as https://example.org, without a path") {
            HTTPRules.isOrigin($0) ? $0 : nil
        }
        .help("A web origin whose pages may call over HTTP: https://example.org. May be repeated."),
        .toggle("compress-answers", \.compressesAnswers)
            .help("Compress answers over HTTP for clients that accept gzip."),
        .toggle("reflection", \.reflection)
            .help("Whether to serve gRPC reflection, as for grpcurl, and /openapi.json.")
            .byDefault("on if the server is reachable only from this machine"),
        .toggle("page", \.showsPage).help("Whether the HTTP port serves the web page."),
    ]

    private static let store: [Setting<ServerValues>] = [
        .text("store", \.store, "store")
            .help("The file for favorites, or the postgresql:// address of a shared database.")
            .byDefault("favorites.sqlite in $STATE_DIRECTORY, or in ~/.local/state/marvel-rpc"),
        .choice("durability", \.durability)
            .help(
                "What an acknowledged toggle survives. full: a power failure; process: a crash of the server; none: neither."
            ),
        .number("capacity", \.capacity, 1...100)
            .help("The maximum number of favorites in a list. A longer list keeps its favorites until the next save.")
            .byDefault("5, or as in the database"),
        .number("max-lists", \.maximumLists, 1 ... .max).help("The maximum number of lists in the store."),
        .number("keep-answers", \.retention.answers, 1...1_000_000_000)
            .help("The number of answers that the store keeps for repeated requests, for at least 2 minutes."),
        .number("keep-changes", \.retention.changesPerList, 1...1_000_000)
            .help("The number of changes that the store keeps for each list, so that watches can resume."),
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
        .help("The source of characters: builtin, synthetic:N, the URL of a gateway, or a catalog file."),
        .list("image-host", \.imageHosts, "host", rule: "a name, or name:port", PictureHost.init)
            .help("An additional host for a gateway's pictures: name, or name:port. May be repeated.")
            .byDefault("the gateway's own host and \(PictureHosts.marvelHost)"),
        .toggle("allow-edits", \.allowsEdits).help("Let callers add and edit characters."),
        .text("gateway.cache", \.cache)
            .help("The cache file for a gateway's answers, its call count, and pictures, including those of favorites.")
            .byDefault("the store's name and .cache, beside the store"),
        .time("gateway.cache-ttl", \.cacheTimeToLive)
            .help("How long a gateway's answer is fresh. After that the server revalidates it."),
        .number("gateway.image-cache-bytes", \.imageCacheBytes, 0 ... .max, unit: "bytes")
            .help(
                "The maximum size of cached pictures, without those of favorites. The least recently used are evicted first."
            ),
        .number("gateway.calls-per-day", \.gatewayCallsPerDay, 1...1_000_000_000)
            .named("gateway-calls-per-day")
            .help(
                "The maximum number of calls to a gateway in any 24 hours, including refused ones. Pictures do not count."
            ),
    ]

    private static let access: [Setting<ServerValues>] = [
        .text("access.tokens", \.tokens)
            .help("The token file.")
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
        .help("The scope of callers on other machines without a token: catalog:read, or none."),
        .list("access.peer-principal", \.peers, "uid=name", rule: "a user id and a name: 33=web", LocalPeer.init)
            .help(
                "A user id of this machine and its caller name at unix sockets: 33=web. Other users then need a token."
            ),
        .toggle("access.require-tokens", \.requiresTokens)
            .help("Require tokens from loopback addresses too, for example behind a proxy on this machine."),
        .toggle("access.insecure", \.isInsecure)
            .help(
                "Allow listening beyond this machine without TLS or tokens. Tokens are still refused over clear text."
            ),
        .text("tls.cert", \.certificate)
            .help("The TLS certificate chain in PEM, the server's own first; for TCP, except operations at loopback.")
            .byDefault("clear text"),
        .text("tls.key", \.certificateKey).help(
            "The private key of the certificate, in PEM. Other users must not be able to read it."
        ),
        .choice("tls.client-auth", \.clientAuthentication).help("Whether clients must present a certificate."),
        .text("tls.client-ca", \.clientAuthorities)
            .help("The CA certificates for client certificates, in PEM. The system's are not used."),
    ]

    /// A running server takes them. Open connections keep the limits that they began with.
    private static let limits: [Setting<ServerValues>] = sizes + times + quotas

    private static let sizes: [Setting<ServerValues>] = [
        .number("limits.max-frame-bytes", \.server.limits.maximumFrameLength, 1...frameBytes, unit: "bytes")
            .help("The maximum size of a frame's data. Larger frames are refused."),
        .number("limits.max-streams", \.server.limits.maximumStreams, 1 ... .max)
            .help("The maximum number of open calls on one connection."),
        .number("limits.max-connections", \.server.maximumConnections, 1 ... .max).help(
            "The maximum number of open connections."
        ),
        .number("limits.max-connections-per-address", \.server.maximumConnectionsPerAddress, 1 ... .max)
            .help("The maximum number of open connections from one remote address."),
        .number("limits.max-total-unsent-bytes", \.server.maximumTotalUnsentBytes, 1 ... .max, unit: "bytes")
            .help("The maximum unsent bytes of all clients. Above it, the connection with the most is closed."),
        .number("limits.max-total-inbound-bytes", \.server.maximumTotalInboundBytes, 1 ... .max, unit: "bytes")
            .help(
                "The maximum bytes of buffered requests of all clients. Above it, the connection with the most is closed."
            ),
    ]

    private static let frameBytes = ServerConfiguration().limits.maximumFrameLength

    private static let times: [Setting<ServerValues>] = [
        .time("limits.frame-timeout", \.server.limits.frameTimeout)
            .help("The timeout for receiving a whole frame, and for the first frame of a connection."),
        .time("limits.write-timeout", \.server.limits.writeTimeout)
            .help("How long a client may read none of its unsent bytes."),
        .time("limits.credit-timeout", \.server.limits.creditTimeout)
            .help("How long a stream may wait for credit from the client."),
        .time("limits.idle-timeout", \.server.limits.idleTimeout)
            .help("The idle timeout of a TCP connection without calls."),
        .time("limits.max-connection-age", \.server.maximumConnectionAge)
            .help("The maximum age of an HTTP connection, plus or minus 10 %. After that it drains.")
            .byDefault("no limit"),
        .time("limits.keepalive-interval", \.server.limits.keepaliveInterval, atLeast: Keepalive.minimumInterval)
            .help("How long a client with the extensions may be silent before the server sends a Ping."),
        .time("limits.call-timeout", \.server.unaryTimeout).help("The default deadline of single calls."),
        .time("limits.drain-timeout", \.server.drainTimeout)
            .help("How long the server waits for active calls when it stops."),
    ]

    /// Quotas for callers that are not on the server's machine. 0 sets no limit.
    private static let quotas: [Setting<ServerValues>] = [
        .number("limits.calls-per-second", \.callsPerSecond, quota)
            .help(
                "The rate limit of a named caller, in calls per second; twice as many after a pause. 0 for no limit."
            ),
        .number("limits.anonymous-calls-per-second", \.anonymousCallsPerSecond, quota)
            .help(
                "The rate limit of an anonymous address, in calls per second; three times as many after a pause. 0 for no limit."
            ),
        .number("limits.bytes-per-second", \.server.quotas.named.bytesPerSecond, quota, unit: "bytes")
            .help("The read limit for a named caller, in bytes per second. 0 for no limit."),
        .number("limits.anonymous-bytes-per-second", \.server.quotas.anonymous.bytesPerSecond, quota, unit: "bytes")
            .help("The read limit for an anonymous address, in bytes per second. 0 for no limit."),
    ]

    private static let quota = 0...1_000_000_000

    private static let fixedLimits: [Setting<ServerValues>] = [
        .number("limits.max-unsent-bytes", \.server.limits.maximumUnsentBytes, 1 ... .max, unit: "bytes")
            .help("The maximum unsent bytes of a client. Above it, the server stops producing more for it."),
        .time("limits.keepalive-timeout", \.server.limits.keepaliveTimeout)
            .help("How long the server waits for the answer to a Ping before it closes the connection."),
        .number("limits.max-watches", \.watches.maximumWatches, 1 ... .max)
            .help("The maximum number of open watches. More are refused."),
        .number("limits.watches-per-caller", \.watchesPerCaller, quota)
            .help("The maximum number of open watches of a named caller. 0 for no limit."),
        .number("limits.anonymous-watches", \.anonymousWatches, quota)
            .help("The maximum number of open watches of an anonymous address. 0 for no limit."),
        .number("limits.lists-per-caller", \.listsPerCaller, quota)
            .help(
                "The maximum number of lists that a named caller may own, which are those it created. 0 for no limit."
            ),
    ]

    private static let logLevel: Setting<ServerValues> =
        .choice("log.level", \.logLevel).help("The minimum level of log events.")

    private static let operations: [Setting<ServerValues>] = [
        .choice("operations.log-format", \.logFormat).help("The format of log lines."),
        .toggle("operations.access-log", \.logsCalls)
            .help(
                "Log calls: slow ones, 50 failures of a cause in 10 s, and a sample of the others above 100 per second."
            ),
        .time("operations.slow-call", \.slowCall).help("The duration above which a call is slow."),
    ]
}

/// `33=web`: a user of this machine, and its name at a unix socket.
struct LocalPeer {
    let user: UInt32
    let name: String

    init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let user = UInt32(parts[0]), Principal.isName(parts[1]) else { return nil }
        (self.user, self.name) = (user, parts[1])
    }
}
