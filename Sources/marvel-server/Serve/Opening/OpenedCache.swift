import CatalogFiles
import Foundation
import Logging
import ProgramSupport
import RPCCore
import Upstream

/// An open cache file with its policy and its counters.
struct OpenedCache {
    let clock: UpstreamClock
    let policy: CachePolicy
    let file: CacheFile
    let counts = UpstreamCounts()
    private let pictureCounts = UpstreamCounts()
    private let logger: Logger

    /// `gateway` is the address of the gateway whose answers are cached; empty if only pictures are cached.
    ///
    /// - Throws: `StartupError` if there is no folder for the file.
    init(gateway: String = "", _ settings: ServerValues, logger: Logger) throws(StartupError) {
        clock = UpstreamClock(startingAt: Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)))
        self.logger = logger
        policy = CachePolicy(timeToLive: settings.cacheTimeToLive)
        var limits = CacheFile.Limits()
        limits.pictureByteCount = settings.imageCacheBytes
        file = CacheFile(path: try settings.cachePath(), gateway: gateway, limits: limits) { problem in
            logger.error("cache", metadata: ["problem": "\(problem)"])
        }
    }

    /// Fetches pictures from these hosts, and caches them in the file.
    func pictures(from hosts: PictureHosts, by transport: any HTTPFetcher) -> GatewayPictures {
        GatewayPictures(
            client: PictureClient(hosts: hosts, transport: transport),
            store: file,
            policy: policy,
            clock: clock,
            counts: counts,
            hostCounts: pictureCounts,
            onFailure: { [logger] host, failure in logger.upstreamFailed(failure, host: host) }
        )
    }

    /// For the log: `upstreamCall` and so on, and `pictureCall` and so on for picture hosts.
    var counters: Logger.Metadata {
        var metadata: Logger.Metadata = ["upstreamWaiting": .stringConvertible(counts.waiting)]
        for event in UpstreamCounts.Event.allCases {
            metadata["upstream\("\(event)".capitalized)"] = .stringConvertible(counts[event])
        }
        for event in [UpstreamCounts.Event.call, .refused, .failed] {
            metadata["picture\("\(event)".capitalized)"] = .stringConvertible(pictureCounts[event])
        }
        return metadata
    }
}

extension Logger {
    /// Logs a failed call to a gateway or to a picture host. The caller limits the rate.
    func upstreamFailed(_ failure: UpstreamFailure, host: String) {
        warning(
            "upstream call failed",
            metadata: ["host": "\(host)", "reason": "\(failure.text)", "failures": .stringConvertible(failure.count)]
        )
    }
}
