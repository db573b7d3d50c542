import Logging
import ProgramSupport
import RPCCore
import RPCServer
import Settings
import TransportSecurity

struct ReloadedLogLevel: Reloadable {
    let name = "log level"

    func prepare(_ values: ServerValues) -> (@Sendable () -> Void)? {
        let level = values.logLevel.level
        guard level != StartUp.logThreshold.level else { return nil }
        return { StartUp.logThreshold.level = level }
    }
}

/// Open connections keep the limits that they began with.
struct ReloadedLimits: Reloadable {
    let server: RPCServer

    let name = "limits"

    func prepare(_ values: ServerValues) -> (@Sendable () -> Void)? {
        guard values.server != server.configuration else { return nil }
        return { server.apply(values.server) }
    }
}

/// The tokens are also read again when their file changes.
struct ReloadedTokens: Reloadable {
    let tokens: ServedTokens

    let name = "tokens"

    func prepare(_ values: ServerValues) throws -> (@Sendable () -> Void)? { try tokens.prepare() }
}

/// The certificate is also replaced without a signal when its file changes.
struct ReloadedCertificate: Reloadable {
    let tls: ServerTLS

    let name = "certificate"

    func prepare(_ values: ServerValues) async throws -> (@Sendable () -> Void)? { try await tls.prepareChange() }
}
