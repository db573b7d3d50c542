import Logging
import ProgramSupport
import RPCCore
import RPCTransport
import Settings
import TransportSecurity

/// The level of the log as a part that is reloaded.
struct ReloadedLogLevel: Reloadable {
    let name = "log level"
    let flags: Set<String> = ["--log-level"]

    func prepare(_ options: ServeCommand) -> (@Sendable () -> Void)? {
        let level = options.options.logLevel.level
        guard level != StartUp.logThreshold.level else { return nil }
        return { StartUp.logThreshold.level = level }
    }
}

/// The limits of connections and calls as a part that is reloaded. Open connections keep the limits that they began with.
struct ReloadedLimits: Reloadable {
    let server: RPCServer

    let name = "limits"
    /// All but those of listening sockets, of watches and of lists.
    let flags: Set<String> = [
        "--anonymous-bytes-per-second", "--anonymous-calls-per-second", "--bytes-per-second", "--call-timeout",
        "--calls-per-second", "--credit-timeout", "--drain-timeout", "--frame-timeout", "--idle-timeout",
        "--keepalive-interval", "--max-connection-age", "--max-connections", "--max-connections-per-address",
        "--max-frame-bytes", "--max-streams", "--max-total-inbound-bytes", "--max-total-unsent-bytes",
        "--write-timeout",
    ]

    func prepare(_ options: ServeCommand) -> (@Sendable () -> Void)? {
        var configuration = options.limits.configuration
        let current = server.configuration
        configuration.maximumUnsentBytes = current.maximumUnsentBytes
        configuration.keepaliveTimeout = current.keepaliveTimeout
        guard configuration != current else { return nil }
        return { [configuration] in server.apply(configuration) }
    }
}

/// The tokens as a part that is reloaded. They are read anew in any case when their file changes.
struct ReloadedTokens: Reloadable {
    let tokens: ServedTokens

    let name = "tokens"
    let flags: Set<String> = []

    func prepare(_ options: ServeCommand) throws -> (@Sendable () -> Void)? { try tokens.prepare() }
}

/// The certificate as a part that is reloaded. It is also replaced without a signal when its file changes.
struct ReloadedCertificate: Reloadable {
    let tls: ServerTLS

    let name = "certificate"
    /// The paths of its files are those of the start.
    let flags: Set<String> = []

    func prepare(_ options: ServeCommand) async throws -> (@Sendable () -> Void)? { try await tls.prepareChange() }
}
