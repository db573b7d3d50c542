import ChildProcesses
import Glibc

/// A TCP connection to this machine, and nothing between it and the system's calls.
struct Socket: ~Copyable {
    let descriptor: Int32

    init(connectedTo port: Int) throws {
        descriptor = try connectToLoopback(port: port)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout.size(ofValue: on)))
    }

    deinit { close(descriptor) }

    /// - Returns: How many bytes came, at least 1.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        guard count >= 0 else { throw SocketError(call: "recv", number: errno) }
        guard count > 0 else { throw BenchmarkError("the server closed the connection") }
        return count
    }

    /// Requests are small and few are open at once: a socket that cannot take them all means that the server reads none.
    func send(_ bytes: UnsafeRawBufferPointer) throws {
        let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        guard count >= 0 else { throw SocketError(call: "send", number: errno) }
        guard count == bytes.count else { throw BenchmarkError("the server took \(count) of \(bytes.count) bytes") }
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
