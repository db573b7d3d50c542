import ArgumentParser
import ProgramSupport
import Upstream

/// The options for calls to a gateway and for the cache of its answers.
struct GatewayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file that keeps a gateway's answers, pictures, and the count of calls. (default: beside the store, its "
                + "name and .cache)",
            valueName: "file"
        )
    )
    var cache: String?

    @Option(
        help: .time(
            "How long a gateway's answer is used again before the gateway is asked whether it is still current.",
            default: TimeLimit(CachePolicy().timeToLive)
        ),
        transform: TimeLimit.option
    )
    var cacheTtl = TimeLimit(CachePolicy().timeToLive)

    @Option(help: "Bytes of pictures that the cache keeps; the least recently used are removed first.")
    var imageCacheBytes = 256 << 20

    @Option(
        help: """
            Calls to a gateway in any 24 hours, those that it refuses included; of all servers together that share a \
            database. Pictures are no calls.
            """
    )
    var gatewayCallsPerDay = 3_000

    func validate() throws {
        guard imageCacheBytes >= 0 else {
            throw ValidationError("--image-cache-bytes is \(imageCacheBytes), it must be 0 or more.")
        }
        guard (1...1_000_000_000).contains(gatewayCallsPerDay) else {
            throw ValidationError("--gateway-calls-per-day is \(gatewayCallsPerDay), it must be 1 to 1000000000.")
        }
    }
}
