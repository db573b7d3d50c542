import ArgumentParser
import Framing
import ProgramSupport
import RPCTransport

/// What the server holds its peers to. Each default is the configuration's own.
struct LimitOptions: ParsableArguments {
    @Option(help: "Bytes of a frame's data; larger ones are refused.")
    var maxFrameBytes = ServerConfiguration().maximumFrameLength

    @Option(help: "Calls open at once on one connection.")
    var maxStreams = ServerConfiguration().maximumStreams

    @Option(help: "Connections open at once.")
    var maxConnections = ServerConfiguration().maximumConnections

    @Option(help: "Connections open at once from one address that is not this machine's own.")
    var maxConnectionsPerAddress = ServerConfiguration().maximumConnectionsPerAddress

    @Option(help: "Bytes that wait for a client to read them before no more are made for it.")
    var maxUnsentBytes = ServerConfiguration().maximumUnsentBytes

    @Option(help: "Bytes that wait for all clients together before the one that most wait for is closed.")
    var maxTotalUnsentBytes = ServerConfiguration().maximumTotalUnsentBytes

    @Option(help: "Bytes of frames and requests kept of all clients together before the one with the most is closed.")
    var maxTotalInboundBytes = ServerConfiguration().maximumTotalInboundBytes

    @Option(help: "How long a frame that has begun, or a connection's first one, may take.")
    var frameTimeout = TimeLimit(ServerConfiguration().frameTimeout)

    @Option(help: "How long a client may read nothing, or less than 1 KiB/s, of what waits for it.")
    var writeTimeout = TimeLimit(ServerConfiguration().writeTimeout)

    @Option(help: "How long a stream's next message may wait for the client's credit.")
    var creditTimeout = TimeLimit(ServerConfiguration().limits.creditTimeout)

    @Option(help: "How long a connection over TCP may be without a call.")
    var idleTimeout = TimeLimit(ServerConfiguration().limits.idleTimeout ?? .zero)

    @Option(help: "How long a client with the extensions may be silent before it is sent a Ping; 10s at least.")
    var keepaliveInterval = TimeLimit(ServerConfiguration().limits.keepaliveInterval)

    @Option(help: "How long it may then be silent, and what it was sent unacknowledged, before it counts as gone.")
    var keepaliveTimeout = TimeLimit(ServerConfiguration().limits.keepaliveTimeout)

    @Option(help: "The deadline of single calls that name none.")
    var callTimeout = TimeLimit(ServerConfiguration().unaryTimeout)

    @Option(help: "How long running calls may take when the server stops.")
    var drainTimeout = TimeLimit(ServerConfiguration().drainTimeout)

    func validate() throws {
        let counts = [
            maxFrameBytes, maxStreams, maxConnections, maxConnectionsPerAddress, maxUnsentBytes, maxTotalUnsentBytes,
            maxTotalInboundBytes,
        ]
        guard counts.allSatisfy({ $0 > 0 }) else { throw ValidationError("A limit is 1 or more.") }
        guard keepaliveInterval.duration >= Keepalive.minimumInterval else {
            throw ValidationError("A keepalive interval is 10s or more: clients count more Pings as a flood.")
        }
        guard maxFrameBytes <= ServerConfiguration().maximumFrameLength else {
            throw ValidationError(
                "The protocol's frames have at most \(ServerConfiguration().maximumFrameLength) bytes."
            )
        }
    }

    var configuration: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.maximumFrameLength = maxFrameBytes
        configuration.maximumStreams = maxStreams
        configuration.maximumConnections = maxConnections
        configuration.maximumConnectionsPerAddress = maxConnectionsPerAddress
        configuration.maximumUnsentBytes = maxUnsentBytes
        configuration.maximumTotalUnsentBytes = maxTotalUnsentBytes
        configuration.maximumTotalInboundBytes = maxTotalInboundBytes
        configuration.creditTimeout = creditTimeout.duration
        configuration.idleTimeout = idleTimeout.duration
        configuration.keepaliveInterval = keepaliveInterval.duration
        configuration.keepaliveTimeout = keepaliveTimeout.duration
        configuration.frameTimeout = frameTimeout.duration
        configuration.writeTimeout = writeTimeout.duration
        configuration.unaryTimeout = callTimeout.duration
        configuration.drainTimeout = drainTimeout.duration
        return configuration
    }
}
