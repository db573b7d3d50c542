import Logging
import ProgramSupport
import RPCCore
import RPCTransport
import Settings
import TransportSecurity

/// The level of the log as a part that is reloaded.
struct ReloadedLogLevel: Reloadable {
    let name = "log level"

    func prepare(_ values: ServerValues) -> (@Sendable () -> Void)? {
        let level = values.logLevel.level
        guard level != StartUp.logThreshold.level else { return nil }
        return { StartUp.logThreshold.level = level }
    }
}

/// The limits of connections and calls as a part that is reloaded. Open connections keep the limits that they began with.
struct ReloadedLimits: Reloadable {
    let server: RPCServer

    let name = "limits"

    func prepare(_ values: ServerValues) -> (@Sendable () -> Void)? {
        guard values.server != server.configuration else { return nil }
        return { server.apply(values.server) }
    }
}

/// The tokens as a part that is reloaded. They are read anew in any case when their file changes.
struct ReloadedTokens: Reloadable {
    let tokens: ServedTokens

    let name = "tokens"

    func prepare(_ values: ServerValues) throws -> (@Sendable () -> Void)? { try tokens.prepare() }
}

/// The certificate as a part that is reloaded. It is also replaced without a signal when its file changes.
struct ReloadedCertificate: Reloadable {
    let tls: ServerTLS

    let name = "certificate"

    func prepare(_ values: ServerValues) async throws -> (@Sendable () -> Void)? { try await tls.prepareChange() }
}
