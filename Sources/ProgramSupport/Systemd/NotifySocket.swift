internal import CMarvelSystem
internal import Dispatch
internal import Glibc

/// sd_notify(3). Without a service manager nothing is sent. A notification that cannot be sent is dropped.
package struct NotifySocket: Sendable {
    private static let sendTimeoutSeconds: Int32 = 1

    private let address: sockaddr_un?
    private let length: socklen_t

    /// `name` is a path, or `@` and a name in the abstract namespace. Other forms are ignored.
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

    /// Sent as one message. Returns whether the service manager got it.
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

    /// The time for `reloading`.
    package static var monotonicMicroseconds: UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000 }
}

/// sd_notify(3).
package enum ServiceNotification: Sendable, Hashable {
    /// The start or a reload is complete.
    case ready
    case status(String)
    /// The monotonic clock in microseconds.
    case reloading(at: UInt64)
    case stopping
    /// Expected once in each watchdog interval.
    case watchdog
    /// The duration counts from now.
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

package enum Watchdog {
    /// Nil without a watchdog, and for another process's watchdog.
    package static func timeout(environment: [String: String], processID: Int32) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds > 0 else { return nil }
        if let id = environment["WATCHDOG_PID"], Int32(id) != processID { return nil }
        return .microseconds(microseconds)
    }
}
