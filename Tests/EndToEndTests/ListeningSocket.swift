import ChildProcesses
import Foundation
import Testing

/// A listening socket at a free port of this machine that a test opens, and hands to the servers that it starts.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    let port: Int

    init(isStream: Bool = true) throws {
        (descriptor, port) = try bindToLoopback(isStream: isStream)
        if isStream { try #require(listen(descriptor, 128) == 0) }
    }

    deinit { close(descriptor) }
}

/// A port of this machine that is given to nobody else while this exists. A server that shares addresses may listen on it.
final class ReservedPort: Sendable {
    let number: Int
    private let descriptor: Int32

    init() throws {
        (descriptor, number) = try bindToLoopback { descriptor in
            var isShared: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    deinit { close(descriptor) }
}

/// A blocking connection of a test, which sees each error of the system as it is.
struct RawConnection: ~Copyable {
    private let descriptor: Int32

    /// Connects to a port of this machine. Nothing is tried twice.
    init(port: Int, timeout: Int = 30) throws(SocketError) {
        descriptor = try connectToLoopback(port: port) { descriptor in
            var time = timeval(tv_sec: timeout, tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
            }
        }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws(SocketError) {
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw SocketError(call: "send", number: errno)
        }
    }

    /// Waits for the first bytes of the answer.
    func receive() throws(SocketError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw SocketError(call: "recv", number: errno) }
        return Array(bytes.prefix(count))
    }
}
