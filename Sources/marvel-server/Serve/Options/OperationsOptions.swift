import ArgumentParser
import ProgramSupport
import RPCCore
import RPCTransport

/// The options for the operations port, and for the log of calls.
struct OperationsOptions: ParsableArguments {
    static let defaultAddress = ServerAddress.tcp(host: "127.0.0.1", port: 6162)

    @Option(
        help: ArgumentHelp(
            "Where to listen for probes, metrics and the status page, over HTTP: host:port, port 0 for any free one, or "
                + "off. (default: \(OperationsOptions.defaultAddress), unless there is another address for calls)",
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

    /// Returns the address of the operations port.
    ///
    /// - Parameters:
    ///   - isDefault: Whether calls are taken at the default addresses. Otherwise this may be one of several servers of the
    ///     machine, and the port is closed unless it is asked for.
    ///   - allowsInsecure: Whether the operator accepts that others than this machine read the pages.
    /// - Returns: The host and the port; nil if the port is closed.
    /// - Throws: `StartupError` if strangers could read the pages.
    func address(
        isDefault: Bool,
        allowsInsecure: Bool = false
    ) throws(StartupError) -> (host: String, port: Int)? {
        switch operationsAddress {
        case .off: return nil
        case nil:
            guard isDefault, case .tcp(let host, let port) = Self.defaultAddress else { return nil }
            return (host, port)
        case .tcp(let host, let port):
            guard allowsInsecure || ServerAddress.isLoopback(host: host) else {
                throw StartupError(
                    .configuration,
                    "the operations port has no access control: give --operations-address an address of this machine only, "
                        + "as 127.0.0.1:\(port)"
                )
            }
            return (host, port)
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
