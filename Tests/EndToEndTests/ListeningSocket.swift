import Foundation
import Testing

/// A listening socket at a free port of this machine that a test opens, and hands to the servers that it starts.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    let port: Int

    init(type: __socket_type = SOCK_STREAM) throws {
        descriptor = socket(AF_INET, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        port = try boundToFreePort(descriptor)
        if type == SOCK_STREAM { try #require(listen(descriptor, 128) == 0) }
    }

    deinit { close(descriptor) }

    /// Accepts one connection, reads the head of its request, and sends an answer.
    ///
    /// - Returns: The head.
    func answerOnce(_ answer: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [self] in continuation.resume(with: Result { try exchange(answer) }) }
        }
    }

    private func exchange(_ answer: String) throws -> String {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 30_000) == 1 else { throw RawConnection.Failure(call: "poll", number: ETIMEDOUT) }
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { throw RawConnection.Failure(call: "accept", number: errno) }
        defer { close(connection) }
        var time = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var head: [UInt8] = []
        while head.count < 64 * 1024, !String(decoding: head, as: UTF8.self).contains("\r\n\r\n") {
            var part = [UInt8](repeating: 0, count: 4_096)
            let count = recv(connection, &part, part.count, 0)
            guard count > 0 else { throw RawConnection.Failure(call: "recv", number: errno) }
            head += part.prefix(count)
        }
        let bytes = Array(answer.utf8)
        guard send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw RawConnection.Failure(call: "send", number: errno)
        }
        return String(decoding: head, as: UTF8.self)
    }
}

/// A port of this machine that is given to nobody else while this exists. A server that shares addresses may listen on it.
final class ReservedPort: Sendable {
    let number: Int
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var isShared: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
        number = try boundToFreePort(descriptor)
    }

    deinit { close(descriptor) }
}

/// Binds a socket to a free port of this machine, and returns the port.
private func boundToFreePort(_ descriptor: Int32) throws -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
        }
    }
    try #require(isBound)
    return Int(UInt16(bigEndian: address.sin_port))
}

/// A blocking connection of a test, which sees each error of the system as it is.
struct RawConnection: ~Copyable {
    private let descriptor: Int32

    /// The error of a system call.
    struct Failure: Error, CustomStringConvertible {
        let call: String
        let number: Int32

        var description: String { "\(call): \(String(cString: strerror(number)))" }
    }

    /// Connects to a port of this machine. Nothing is tried twice.
    init(port: Int, timeout: Int = 30) throws(Failure) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var time = timeval(tv_sec: timeout, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(call: "connect", number: errno) }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws(Failure) {
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(call: "send", number: errno)
        }
    }

    /// Waits for the first bytes of the answer.
    func receive() throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw Failure(call: "recv", number: errno) }
        return Array(bytes.prefix(count))
    }
}
