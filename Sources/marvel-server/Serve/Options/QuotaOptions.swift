import ArgumentParser
import MarvelService
import RPCCore

/// The options for the quotas of callers that are not on the server's machine. For each of them 0 sets no limit.
struct QuotaOptions: ParsableArguments {
    @Option(help: "Calls a second of a caller with a name; twice as many after a pause. 0 for any number.")
    var callsPerSecond = CallerLimits.named.callsPerSecond

    @Option(help: "Calls a second of an address without a name; three times as many after a pause. 0 for any number.")
    var anonymousCallsPerSecond = CallerLimits.anonymous.callsPerSecond

    @Option(help: "Bytes a second that are read from a caller with a name. 0 for any number.")
    var bytesPerSecond = CallerLimits.named.bytesPerSecond

    @Option(help: "Bytes a second that are read from an address without a name. 0 for any number.")
    var anonymousBytesPerSecond = CallerLimits.anonymous.bytesPerSecond

    @Option(help: "Watches that a caller with a name may have open. 0 for any number.")
    var watchesPerCaller = 100

    @Option(help: "Watches that an address without a name may have open. 0 for any number.")
    var anonymousWatches = 8

    @Option(help: "Lists that a caller with a name may own, which are those that it made. 0 for any number.")
    var listsPerCaller = 100

    func validate() throws {
        let counts = [
            ("--calls-per-second", callsPerSecond), ("--anonymous-calls-per-second", anonymousCallsPerSecond),
            ("--bytes-per-second", bytesPerSecond), ("--anonymous-bytes-per-second", anonymousBytesPerSecond),
            ("--watches-per-caller", watchesPerCaller), ("--anonymous-watches", anonymousWatches),
            ("--lists-per-caller", listsPerCaller),
        ]
        for (flag, count) in counts where !(0...1_000_000_000).contains(count) {
            throw ValidationError("\(flag) is \(count), it must be 0 to 1000000000.")
        }
    }

    var quotas: CallerQuotas {
        var quotas = CallerQuotas()
        quotas.named = CallerLimits(
            callsPerSecond: callsPerSecond,
            callBurst: 2 * callsPerSecond,
            bytesPerSecond: bytesPerSecond
        )
        quotas.anonymous = CallerLimits(
            callsPerSecond: anonymousCallsPerSecond,
            callBurst: 3 * anonymousCallsPerSecond,
            bytesPerSecond: anonymousBytesPerSecond
        )
        return quotas
    }

    var watches: CallerShares { CallerShares(named: watchesPerCaller, anonymous: anonymousWatches) }
}
