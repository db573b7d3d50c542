internal import CMarvelSystem
internal import Dispatch
internal import Glibc

/// The datagram socket of the service manager, for notifications (sd_notify(3)).
///
/// Without a service manager nothing is sent. A notification that cannot be sent is dropped: the service works without
/// it.
package struct NotifySocket: Sendable {
    /// The maximum wait for a service manager that does not read.
    private static let sendTimeoutSeconds: Int32 = 1

    private let address: sockaddr_un?
    private let length: socklen_t

    /// - Parameter name: The variable `NOTIFY_SOCKET`: the path of the socket, or `@` and its name in the abstract
    ///   namespace. A name of another form is ignored.
    package init(_ name: String?) {
        let bytes = Array((name ?? "").utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let maximum = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard let first = bytes.first, bytes.count > 1, bytes.count <= maximum,
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
        else {
            (self.address, self.length) = (nil, 0)
            return
        }
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: bytes)
            // In the abstract namespace a name begins with a zero, and ends with its length.
            if first == UInt8(ascii: "@") { path[0] = 0 }
        }
        self.address = address
        self.length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2) + socklen_t(bytes.count)
    }

    /// Sends notifications as one message.
    ///
    /// - Returns: Whether the service manager got it.
    @discardableResult
    package func send(_ notifications: ServiceNotification...) -> Bool {
        guard var address else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        marvel_limit_sending(descriptor, Self.sendTimeoutSeconds)
        let text = Array(notifications.map(\.text).joined(separator: "\n").utf8)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
        return sent == text.count
    }

    /// The time of the monotonic clock in microseconds, as `reloading` needs it.
    package static var monotonicMicroseconds: UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000 }
}

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
