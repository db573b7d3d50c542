import ChildProcesses
import Glibc

/// A port of the loopback where calls arrive and nobody answers. Its calls block: use `onThread`.
struct SilentServer {
    private let listener: Int32
    let address: String

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failure = withUnsafeMutablePointer(to: &name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(listener, name, length) + listen(listener, 1) + getsockname(listener, name, &length)
            }
        }
        guard failure == 0 else { throw ChildProcessError(call: "bind", number: errno) }
        self.listener = listener
        self.address = "127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
    }

    /// Waits until a caller has connected and sent something.
    func awaitCall() -> Int32 {
        let connection = accept(listener, nil, nil)
        var byte: UInt8 = 0
        _ = recv(connection, &byte, 1, 0)
        return connection
    }

    func stop() {
        close(listener)
    }
}
