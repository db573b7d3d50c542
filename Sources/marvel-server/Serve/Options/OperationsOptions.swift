import ArgumentParser
import ProgramSupport
import RPCCore
import RPCTransport

/// The options for the operations port, and for the log of calls.
struct OperationsOptions: ParsableArguments {
    static let defaultAddress = ServerAddress.tcp(host: "127.0.0.1", port: 6162)

    @Option(
        help: ArgumentHelp(
            "Where to listen for probes, metrics and the status page, over HTTP: an address like that of --framed, or "
                + "off. Other machines need TLS, and for all but the probes a token with the scope admin. "
                + "(default: \(OperationsOptions.defaultAddress))",
            valueName: "address"
        )
    )
    var operations: PortAddress?

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

    var port: ServerPort {
        ServerPort(name: .operations, given: operations.map { [$0] } ?? [], defaultAddress: Self.defaultAddress)
    }

    /// The rules for the log of calls; nil if calls are not logged.
    var accessLogRules: AccessLogRules? {
        guard accessLog ?? true else { return nil }
        var rules = AccessLogRules()
        rules.slowCall = slowCall.duration
        return rules
    }
}
