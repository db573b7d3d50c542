import ChildProcesses
import Glibc

/// A port of the loopback where calls arrive and nobody answers. Its calls block: use `onThread`.
struct SilentServer {
    private let listener: Int32
    let address: String

    init() throws {
        let port: Int
        (listener, port) = try bindToLoopback()
        guard listen(listener, 1) == 0 else { throw SocketError(call: "listen", number: errno) }
        address = "127.0.0.1:\(port)"
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
