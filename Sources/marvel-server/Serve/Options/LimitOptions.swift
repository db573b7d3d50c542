import ArgumentParser
import FavoritesSQLite
import MarvelService
import ProgramSupport
import RPCCore
import RPCTransport

/// The options for limits on connections and calls. Each default is the one of `ServerConfiguration`.
struct LimitOptions: ParsableArguments {
    @Option(help: "Bytes of a frame's data; larger ones are refused.")
    var maxFrameBytes = ServerConfiguration().maximumFrameLength

    @Option(help: "Calls open at once on one connection.")
    var maxStreams = ServerConfiguration().maximumStreams

    @Option(
        help: "Watches open at once; beyond that the connection with the most of them loses one to one that has fewer."
    )
    var maxWatches = WatchLimits().maximumWatches

    @Option(help: "Watches of one list open at once, shared in the same way.")
    var maxWatchesPerList = WatchLimits().maximumWatchesPerList

    @Option(help: "Connections open at once.")
    var maxConnections = ServerConfiguration().maximumConnections

    @Option(help: "Connections open at once from one address that is not this machine's own.")
    var maxConnectionsPerAddress = ServerConfiguration().maximumConnectionsPerAddress

    @Option(help: "Bytes that wait for a client to read them before the server stops producing more for it.")
    var maxUnsentBytes = ServerConfiguration().maximumUnsentBytes

    @Option(help: "Bytes that wait for all clients together before the connection with the most is closed.")
    var maxTotalUnsentBytes = ServerConfiguration().maximumTotalUnsentBytes

    @Option(
        help: "Bytes of frames and requests kept of all clients together before the connection with the most is closed."
    )
    var maxTotalInboundBytes = ServerConfiguration().maximumTotalInboundBytes

    @Option(
        help: .time(
            "How long a frame that has begun, or a connection's first one, may take.",
            default: TimeLimit(ServerConfiguration().frameTimeout)
        ),
        transform: TimeLimit.option
    )
    var frameTimeout = TimeLimit(ServerConfiguration().frameTimeout)

    @Option(
        help: .time(
            """
            How long a client may read nothing, or less than 1 KiB/s, of what waits for it. Up to 8 times as long if \
            it read faster before and memory is not short.
            """,
            default: TimeLimit(ServerConfiguration().writeTimeout)
        ),
        transform: TimeLimit.option
    )
    var writeTimeout = TimeLimit(ServerConfiguration().writeTimeout)

    @Option(
        help: .time(
            "How long a stream's next message may wait for the client's credit.",
            default: TimeLimit(ServerConfiguration().limits.creditTimeout)
        ),
        transform: TimeLimit.option
    )
    var creditTimeout = TimeLimit(ServerConfiguration().limits.creditTimeout)

    @Option(
        help: .time(
            "How long a connection over TCP may be without a call.",
            default: TimeLimit(ServerConfiguration().limits.idleTimeout ?? .zero)
        ),
        transform: TimeLimit.option
    )
    var idleTimeout = TimeLimit(ServerConfiguration().limits.idleTimeout ?? .zero)

    @Option(
        help: ArgumentHelp(
            "How old a connection over HTTP may become, a tenth more or less; then it drains. (default: any age)",
            valueName: "time"
        ),
        transform: TimeLimit.option
    )
    var maxConnectionAge: TimeLimit?

    @Option(
        help: .time(
            "How long a client with the extensions may be silent before it is sent a Ping; 10s at least.",
            default: TimeLimit(ServerConfiguration().limits.keepaliveInterval)
        ),
        transform: TimeLimit.option
    )
    var keepaliveInterval = TimeLimit(ServerConfiguration().limits.keepaliveInterval)

    @Option(
        help: .time(
            "How long it may stay silent after the Ping, and leave sent data unacknowledged, before it counts as gone.",
            default: TimeLimit(ServerConfiguration().limits.keepaliveTimeout)
        ),
        transform: TimeLimit.option
    )
    var keepaliveTimeout = TimeLimit(ServerConfiguration().limits.keepaliveTimeout)

    @Option(
        help: .time(
            "The deadline of single calls that name none.",
            default: TimeLimit(ServerConfiguration().unaryTimeout)
        ),
        transform: TimeLimit.option
    )
    var callTimeout = TimeLimit(ServerConfiguration().unaryTimeout)

    @Option(
        help: .time(
            "How long running calls may take when the server stops.",
            default: TimeLimit(ServerConfiguration().drainTimeout)
        ),
        transform: TimeLimit.option
    )
    var drainTimeout = TimeLimit(ServerConfiguration().drainTimeout)

    @OptionGroup var quotas: QuotaOptions

    func validate() throws {
        let counts = [
            ("--max-frame-bytes", maxFrameBytes), ("--max-streams", maxStreams), ("--max-watches", maxWatches),
            ("--max-watches-per-list", maxWatchesPerList), ("--max-connections", maxConnections),
            ("--max-connections-per-address", maxConnectionsPerAddress), ("--max-unsent-bytes", maxUnsentBytes),
            ("--max-total-unsent-bytes", maxTotalUnsentBytes),
            ("--max-total-inbound-bytes", maxTotalInboundBytes),
        ]
        for (flag, count) in counts where count < 1 {
            throw ValidationError("\(flag) is \(count), it must be 1 or more.")
        }
        guard keepaliveInterval.duration >= Keepalive.minimumInterval else {
            throw ValidationError(
                "--keepalive-interval is \(keepaliveInterval), it must be 10s or more: clients count more Pings as a flood."
            )
        }
        guard maxFrameBytes <= ServerConfiguration().maximumFrameLength else {
            throw ValidationError(
                "--max-frame-bytes is \(maxFrameBytes), the protocol's frames have at most "
                    + "\(ServerConfiguration().maximumFrameLength)."
            )
        }
    }

    var watchLimits: WatchLimits {
        var limits = WatchLimits()
        limits.maximumWatches = maxWatches
        limits.maximumWatchesPerList = maxWatchesPerList
        limits.maximumWatchesPerCaller = quotas.watches
        return limits
    }

    var configuration: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.quotas = quotas.quotas
        configuration.maximumFrameLength = maxFrameBytes
        configuration.maximumStreams = maxStreams
        configuration.maximumConnections = maxConnections
        configuration.maximumConnectionsPerAddress = maxConnectionsPerAddress
        configuration.maximumUnsentBytes = maxUnsentBytes
        configuration.maximumTotalUnsentBytes = maxTotalUnsentBytes
        configuration.maximumTotalInboundBytes = maxTotalInboundBytes
        configuration.creditTimeout = creditTimeout.duration
        configuration.idleTimeout = idleTimeout.duration
        configuration.maximumConnectionAge = maxConnectionAge?.duration
        configuration.keepaliveInterval = keepaliveInterval.duration
        configuration.keepaliveTimeout = keepaliveTimeout.duration
        configuration.frameTimeout = frameTimeout.duration
        configuration.writeTimeout = writeTimeout.duration
        configuration.unaryTimeout = callTimeout.duration
        configuration.drainTimeout = drainTimeout.duration
        return configuration
    }
}

/// The options for the number of old answers and changes that the store keeps.
struct RetentionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Answers that the store keeps for requests that are sent again; each for 2 minutes at least and 7 days at "
                + "most.",
            valueName: "count"
        )
    )
    var keepAnswers = StoreRetention().answers

    @Option(
        help: ArgumentHelp("Changes of each list that the store keeps for watches that resume.", valueName: "count")
    )
    var keepChanges = StoreRetention().changesPerList

    func validate() throws {
        guard (1...1_000_000_000).contains(keepAnswers) else {
            throw ValidationError("--keep-answers is \(keepAnswers), it must be 1 to 1000000000.")
        }
        guard (1...1_000_000).contains(keepChanges) else {
            throw ValidationError("--keep-changes is \(keepChanges), it must be 1 to 1000000.")
        }
    }

    var retention: StoreRetention { StoreRetention(answers: keepAnswers, changesPerList: keepChanges) }
}
