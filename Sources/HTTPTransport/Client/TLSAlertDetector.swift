internal import NIOCore
internal import RPCTransport

/// The first handler of a client's connection in clear text: it recognizes a server that speaks TLS by its first byte.
///
/// Such a server answers clear text with an alert, which is no frame of HTTP/2. The error would not name the cause.
final class TLSAlertDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// The content types of records of TLS that a server may begin with: an alert, and a handshake. (RFC 8446, section 5.1)
    private static let contentTypes: [UInt8] = [0x15, 0x16]

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let first = unwrapInboundIn(data).readableBytesView.first else { return context.fireChannelRead(data) }
        if Self.contentTypes.contains(first) {
            context.fireErrorCaught(SecurityError("the server speaks TLS: name it as grpcs://host:port"))
        } else {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        }
    }
}
