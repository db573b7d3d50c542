import ChildProcesses
import Framing
import Glibc
import NIOCore
import RPCCore
import WireMessages

/// A TCP connection to this machine that does what no client should.
struct RawConnection: ~Copyable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - port: The server's.
    ///   - receiveBuffer: Bytes that the kernel takes in for it; nil leaves that to the kernel.
    /// - Throws: If nobody accepts.
    init(port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = try connectToLoopback(port: port) { descriptor in
            guard var size = receiveBuffer else { return }
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout.size(ofValue: size)))
        }
    }

    deinit { close(descriptor) }

    func send(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { bytes in
            _ = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Takes in what has come, without waiting.
    ///
    /// - Returns: The bytes; nil if the server has closed the connection.
    func receive(atMost limit: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &bytes, limit, Int32(MSG_DONTWAIT))
        if count < 0 { return errno == EAGAIN ? [] : nil }
        return count == 0 ? nil : Array(bytes.prefix(count))
    }

    /// Has its end be a reset.
    func resetAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout.size(ofValue: option)))
    }

    /// The frame of a call, without credit: all that the server has comes.
    static func request(_ method: String, _ message: some WireMessage) -> ByteBuffer {
        var frame = ByteBuffer()
        let envelope = RequestEnvelope(
            service: "marvel.v1.MarvelService",
            method: method,
            payload: message.encoded()
        )
        frame.writeFrame(.request, on: 1, flags: .remoteClosed, data: envelope.encoded())
        return frame
    }

    /// Reads a page as a program does that speaks HTTP/1.1 and JSON, on a connection of its own.
    ///
    /// - Throws: `RPCError` with the server's status, or if there is no page within ten seconds.
    static func readPage(httpPort: Int, query: String) async throws {
        let connection = try RawConnection(port: httpPort)
        let body = #"{"query":"\#(query)"}"#
        let head = """
            POST /marvel.v1.MarvelService/SearchCharacters HTTP/1.1\r\nHost: localhost\r\nConnection: close\r
            Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n
            """
        connection.send(ByteBuffer(string: head + body))
        var answer: [UInt8] = []
        let end = ContinuousClock.now + .seconds(10)
        while let bytes = connection.receive(atMost: 65_536) {
            guard ContinuousClock.now < end else { throw RPCError(.deadlineExceeded, "no page over HTTP") }
            answer += bytes
            if bytes.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        }
        let text = String(decoding: answer, as: UTF8.self)
        if text.hasPrefix("HTTP/1.1 200 "), text.hasSuffix("}") { return }
        guard let name = text.firstMatch(of: /"code":"(\w+)"/)?.1.uppercased(),
            let code = StatusCode.allCases.first(where: { $0.name == name })
        else { throw RunError("the answer over HTTP is \(text.prefix(500))") }
        throw RPCError(code, "\(text.suffix(200))")
    }
}
