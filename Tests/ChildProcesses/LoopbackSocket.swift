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
    try openSocket(port: port, prepare: prepare, "connect") { connect($0, $1, $2) }.descriptor
}

/// Binds a socket to a free port of this machine.
///
/// - Parameters:
///   - isStream: Whether it is one of TCP; else of UDP.
///   - prepare: Sets options of the socket before it is bound.
/// - Returns: The descriptor, which the caller closes, and the port.
/// - Throws: The system's error, with the name of the call that failed.
package func bindToLoopback(
    isStream: Bool = true,
    prepare: (_ descriptor: Int32) -> Void = { _ in }
) throws(SocketError) -> (descriptor: Int32, port: Int) {
    try openSocket(isStream: isStream, port: 0, prepare: prepare, "bind") { descriptor, address, size in
        var size = size
        return bind(descriptor, address, size) == 0 ? getsockname(descriptor, address, &size) : -1
    }
}

private func openSocket(
    isStream: Bool = true,
    port: Int,
    prepare: (_ descriptor: Int32) -> Void,
    _ name: String,
    _ call: (_ descriptor: Int32, UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
) throws(SocketError) -> (descriptor: Int32, port: Int) {
    let type = isStream ? SOCK_STREAM : SOCK_DGRAM
    let descriptor = socket(AF_INET, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SocketError(call: "socket", number: errno) }
    prepare(descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout.size(ofValue: address))
    let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, size) }
    }
    guard result == 0 else {
        let number = errno
        close(descriptor)
        throw SocketError(call: name, number: number)
    }
    return (descriptor, Int(in_port_t(bigEndian: address.sin_port)))
}

/// A system call on a socket that failed.
package struct SocketError: Error, CustomStringConvertible {
    let call: String
    /// The value of `errno`.
    let number: Int32

    package init(call: String, number: Int32) { (self.call, self.number) = (call, number) }

    package var description: String { "\(call): \(String(cString: strerror(number)))" }
}
