import Framing
import Glibc
import NIOCore
import RPCCore
import WireMessages

/// One connection on which many watch the same list. It counts what they are sent and keeps nothing of it.
final class WatcherConnection {
    private static let inboundSize = 256 * 1024

    let socket: Socket
    private let inbound: UnsafeMutableRawBufferPointer
    private var inboundCount = 0

    /// - Parameters:
    ///   - port: The server's port on this machine.
    ///   - list: The list to watch.
    ///   - watchers: How many calls to make; above the server's limit for a connection they are refused.
    /// - Throws: If it cannot connect.
    init(port: Int, list: String, watchers: Int) throws {
        socket = try Socket(connectedTo: port)
        inbound = .allocate(byteCount: WatcherConnection.inboundSize, alignment: 8)
        let request = RequestEnvelope("WatchFavorites", WatchFavoritesRequest(list: list)).encoded()
        for watcher in 0..<watchers {
            var frame = ByteBuffer()
            frame.writeFrame(
                .request,
                on: StreamID(rawValue: UInt32(2 * watcher + 1)),
                flags: .remoteClosed,
                data: request
            )
            try frame.withUnsafeReadableBytes { try socket.send($0) }
        }
    }

    deinit { inbound.deallocate() }

    /// Reads once.
    ///
    /// - Returns: How many messages that completed.
    func readable() throws -> Int {
        inboundCount += try socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: inbound[inboundCount...]))
        var (start, messages) = (0, 0)
        while inboundCount - start >= FrameHeader.byteCount {
            let length = Int(UInt32(bigEndian: inbound.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
            let end = start + FrameHeader.byteCount + length
            guard end - start <= inbound.count else { throw BenchmarkError("a frame of \(length) bytes") }
            guard end <= inboundCount else { break }
            guard FrameType(rawValue: inbound[start + 8]) == .data else { throw BenchmarkError("a watch has failed") }
            messages += 1
            start = end
        }
        inboundCount -= start
        if start > 0, inboundCount > 0, let bytes = inbound.baseAddress { memmove(bytes, bytes + start, inboundCount) }
        return messages
    }
}
