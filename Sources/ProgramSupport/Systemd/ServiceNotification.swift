/// A message from a service to its service manager (sd_notify(3)).
package enum ServiceNotification: Sendable, Hashable {
    /// The start or a reload is complete.
    case ready
    /// The service's current work, as a text for people.
    case status(String)
    /// A reload began at this time of the monotonic clock, in microseconds.
    case reloading(at: UInt64)
    case stopping
    /// The service works. It is expected once in each watchdog interval.
    case watchdog
    /// The start, reload or stop takes at least this long from now.
    case extendTimeout(Duration)

    var text: String {
        switch self {
        case .ready: "READY=1"
        // A line break would begin another variable.
        case .status(let text): "STATUS=" + text.map { $0.isNewline ? " " : String($0) }.joined()
        case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)"
        case .stopping: "STOPPING=1"
        case .watchdog: "WATCHDOG=1"
        case .extendTimeout(let time): "EXTEND_TIMEOUT_USEC=\(max(1, Int64(time / .microseconds(1))))"
        }
    }
}

/// The interval between two `WATCHDOG=1` that the service manager expects.
package enum Watchdog {
    /// - Parameters:
    ///   - environment: Variables by name: `WATCHDOG_USEC`, `WATCHDOG_PID`.
    ///   - processID: The id of this process. Another process's watchdog is ignored.
    /// - Returns: The time after which the service manager restarts a silent service; nil without a watchdog.
    package static func timeout(environment: [String: String], processID: Int32) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds > 0 else { return nil }
        if let id = environment["WATCHDOG_PID"], Int32(id) != processID { return nil }
        return .microseconds(microseconds)
    }
}
