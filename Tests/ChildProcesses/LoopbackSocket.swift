internal import Glibc

/// Connects to a port of this machine over TCP.
///
/// - Parameters:
///   - port: The port.
///   - prepare: Sets options of the socket before it connects.
/// - Returns: The descriptor, which the caller closes.
/// - Throws: The system's error, with the name of the call that failed.
package func connectToLoopback(
    port: Int,
    prepare: (_ descriptor: Int32) -> Void = { _ in }
) throws(SocketError) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw SocketError(call: "socket", number: errno) }
    prepare(descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout.size(ofValue: address))
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else {
        let number = errno
        close(descriptor)
        throw SocketError(call: "connect", number: number)
    }
    return descriptor
}

/// A system call on a socket that failed.
package struct SocketError: Error, CustomStringConvertible {
    let call: String
    /// The value of `errno`.
    let number: Int32

    package var description: String { "\(call): \(String(cString: strerror(number)))" }
}
