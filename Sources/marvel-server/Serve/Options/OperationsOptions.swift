import ArgumentParser
import HTTPServing
import ProgramSupport
import RPCCore
import RPCTransport

/// The options for the operations port, and for the log of calls.
struct OperationsOptions: ParsableArguments {
    static let defaultAddress = ServerAddress.tcp(host: "127.0.0.1", port: 6162)

    @Option(
        help: ArgumentHelp(
            "Where to listen for probes, metrics and the status page, over HTTP: host:port, port 0 for any free one, or "
                + "off. Other machines need TLS, and for all but the probes a token with the scope admin. (default: \(OperationsOptions.defaultAddress), unless there is another address for calls)",
            valueName: "address"
        )
    )
    var operationsAddress: OperationsAddress?

    @Flag(
        inversion: .prefixedNo,
        help: "Log calls: all that fail or are slow, of the others 100 a second and then a sample. (default: on)"
    )
    var accessLog: Bool?

    @Option(
        help: .time(
            "The duration from which a call is slow.",
            default: TimeLimit(AccessLogRules().slowCall)
        ),
        transform: TimeLimit.option
    )
    var slowCall = TimeLimit(AccessLogRules().slowCall)

    @Option(help: "The form of the lines of the log.")
    var logFormat = LogFormat.json

    /// Returns the addresses of the operations port, and the sockets that the service manager opened for it.
    ///
    /// - Parameter isDefault: Whether calls are taken at the default addresses. Otherwise this may be one of several servers
    ///   of the machine, and the port is closed unless it is asked for.
    /// - Returns: The addresses; empty if the port is closed.
    /// - Throws: `StartupError` if the port is closed by the settings and open by the service manager.
    func endpoints(isDefault: Bool) throws(StartupError) -> [HTTPEndpoint] {
        let inherited = ServiceManager.operationsEndpoints
        switch operationsAddress {
        case .off:
            guard inherited.isEmpty else {
                throw StartupError(
                    .configuration,
                    "--operations-address is off, but the service manager opened a socket for that port: leave out one"
                )
            }
            return []
        case .tcp(let host, let port): return [HTTPEndpoint(.tcp(host: host, port: port))] + inherited
        case nil: return inherited.isEmpty && isDefault ? [HTTPEndpoint(Self.defaultAddress)] : inherited
        }
    }

    /// The rules for the log of calls; nil if calls are not logged.
    var accessLogRules: AccessLogRules? {
        guard accessLog ?? true else { return nil }
        var rules = AccessLogRules()
        rules.slowCall = slowCall.duration
        return rules
    }
}

/// An address of the operations port, or `off`.
enum OperationsAddress: ExpressibleByArgument, Equatable, Sendable {
    case off
    case tcp(host: String, port: Int)

    init?(argument: String) {
        switch (argument, ServerAddress(argument)) {
        case ("off", _): self = .off
        case (_, .tcp(let host, let port)?): self = .tcp(host: host, port: port)
        default: return nil
        }
    }
}
