internal import HTTPCalls
internal import NIOCore
internal import NIOHTTP2

/// A handler next to the socket that reads the headers of all frames, and writes two frames past the HTTP/2 handler.
///
/// After a GOAWAY the HTTP/2 handler refuses new streams, whatever number the frame has. A server that drains first tells
/// its peer to begin no more, and still takes what the peer has begun before it read that (RFC 9113, section 6.8).
final class RawFrames: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The data of the ping that is sent with the announcement. Its answer says that the peer has read both.
    static let pingData: UInt64 = 0x6472_6169_6E69_6E67
    private static let highestStreamID: UInt32 = .max >> 1

    private enum FrameType: UInt8 {
        case ping = 6
        case goAway = 7
    }

    private var context: ChannelHandlerContext?
    private var scanner = FrameScanner()
    private var sentByteCount = 0
    weak var connection: HTTP2Connection?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard let connection else { return context.fireChannelRead(data) }
        guard !connection.isClosing else { return connection.receivedWhileClosing(bytes.readableBytes) }
        let found = scanner.scan(bytes)
        connection.bytesReceived(found, isInsideFrame: scanner.isInsideFrame)
        guard bytes.readableBytes <= Self.copiedByteCount else { return context.fireChannelRead(data) }
        context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes.readableBytesView)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        sentByteCount += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    /// Returns the number of bytes that were sent since the last such call.
    func takeSentByteCount() -> Int {
        defer { sentByteCount = 0 }
        return sentByteCount
    }

    /// The size up to which the bytes of a read are copied. The HTTP/2 handler keeps the last buffer that it was given, and the
    /// one that was read into has 2 KiB: an idle connection would keep it, and a busy one would need another for each read.
    private static let copiedByteCount = 512

    /// Returns a future that is complete when all that was written so far is sent.
    func written() -> EventLoopFuture<Void>? {
        context.map { $0.writeAndFlush(wrapOutboundOut(ByteBuffer())) }
    }

    /// Writes a GOAWAY that forbids no stream that the peer has begun, and a PING.
    ///
    /// - Parameter reason: The reason that the peer is told.
    func announceDrain(because reason: String?) {
        let reason = reason ?? ""
        var bytes = ByteBuffer()
        writeHeader(.goAway, byteCount: 8 + UInt32(reason.utf8.count), to: &bytes)
        bytes.writeInteger(Self.highestStreamID)
        bytes.writeInteger(0 as UInt32)
        bytes.writeString(reason)
        writeHeader(.ping, byteCount: 8, to: &bytes)
        bytes.writeInteger(Self.pingData)
        sentByteCount += bytes.readableBytes
        context?.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    /// Writes the header of a frame of the connection, without flags (RFC 9113, section 4.1).
    private func writeHeader(_ type: FrameType, byteCount: UInt32, to bytes: inout ByteBuffer) {
        bytes.writeInteger(byteCount << 8 | UInt32(type.rawValue))
        bytes.writeInteger(0 as UInt8)
        bytes.writeInteger(0 as UInt32)
    }
}
