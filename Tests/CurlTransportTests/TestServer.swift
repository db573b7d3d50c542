import ChildProcesses
import Foundation
import Glibc
import Synchronization

/// An HTTP server for one test, on a free port of the loopback. A closure serves each connection on a thread of its
/// own, so that a script can send half an answer and wait. The end of the value closes every socket.
final class TestServer: Sendable {
    let port: Int
    private let listener: CInt
    private let state: ServerState

    init(_ serve: @escaping @Sendable (TestConnection) -> Void) throws {
        let (listener, port) = try bindToLoopback()
        guard listen(listener, 128) == 0 else { throw SocketError(call: "listen", number: errno) }
        let state = ServerState()
        self.listener = listener
        self.port = port
        self.state = state
        Thread.detachNewThread {
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { break }
                guard let number = state.opened(socket) else { break }
                Thread.detachNewThread {
                    serve(TestConnection(socket: socket, number: number))
                    state.closing(socket)
                }
            }
            close(listener)
        }
    }

    deinit {
        // In this order: the thread closes the listener only after this, so the number still means the same socket.
        Glibc.shutdown(listener, CInt(SHUT_RDWR))
        state.stop()
    }

    /// A server that gives each request of each connection the same answer.
    convenience init(answer: [UInt8]) throws {
        try self.init { connection in
            while connection.request() != nil, connection.send(answer) {}
        }
    }

    var connectionCount: Int { state.connectionCount }

    func url(_ path: String = "/", scheme: String = "http") -> String { "\(scheme)://127.0.0.1:\(port)\(path)" }
}

/// One accepted connection, read and written by its own thread only.
struct TestConnection: Sendable {
    let socket: CInt
    /// 1 for the first that the server accepted.
    let number: Int

    /// The head of the next request, or nil if the client closed the connection.
    func request() -> String? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(socket, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// The first record of a TLS handshake (RFC 8446 section 5.1), without its header.
    func clientHello() -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 5)
        guard recv(socket, &header, 5, CInt(MSG_WAITALL)) == 5 else { return [] }
        var record = [UInt8](repeating: 0, count: Int(header[3]) << 8 + Int(header[4]))
        recv(socket, &record, record.count, CInt(MSG_WAITALL))
        return record
    }

    /// False if the client is gone.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Returns when the client has closed the connection, or the test is over.
    func waitForClose() {
        var byte: UInt8 = 0
        while recv(socket, &byte, 1, 0) > 0 {}
    }
}

/// Which sockets are open. A socket is closed by its thread; stopping only shuts it down, which ends that thread's
/// reads and writes.
private final class ServerState: Sendable {
    private struct State {
        var isStopped = false
        var connectionCount = 0
        var open: Set<CInt> = []
    }

    private let state = Mutex(State())

    var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// The connection's number, or nil if the server has stopped.
    func opened(_ socket: CInt) -> Int? {
        state.withLock { state in
            guard !state.isStopped else {
                close(socket)
                return nil
            }
            state.open.insert(socket)
            state.connectionCount += 1
            return state.connectionCount
        }
    }

    func closing(_ socket: CInt) {
        state.withLock { state in
            state.open.remove(socket)
            close(socket)
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            for socket in state.open { Glibc.shutdown(socket, CInt(SHUT_RDWR)) }
        }
    }
}
