internal import Foundation
internal import NIOCore

/// How many event loops the process has: one for each core that it may use.
package enum EventLoops {
    /// To be called before anything else that uses them; later it has no effect.
    ///
    /// What a container's quota allows, SwiftNIO knows by itself; of `taskset` and the like it knows nothing, and two
    /// loops that share a core keep each other's connections waiting for milliseconds.
    package static func useAllowedCores() {
        NIOSingletons.groupLoopCountSuggestion = max(1, min(allowedCores ?? .max, System.coreCount))
    }

    /// The processors that this process is bound to; nil if the system does not tell.
    ///
    /// Read from proc(5), as `sched_getaffinity` is one of the calls that Swift's Glibc module does not have.
    private static var allowedCores: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        let mask = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
        return mask?.split(separator: "\t").last?.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    }
}
