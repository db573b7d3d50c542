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
}
