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
