internal import HTTPFraming
internal import Logging
internal import NIOCore
internal import RPCCore

/// The first handler of a connection: it waits for the first bytes, which tell the version of HTTP or the framed wire,
/// and gives the connection to the handlers for it.
final class WireDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The first bytes of HTTP/2 (RFC 9113, section 3.4), as far as no method of HTTP/1.1 begins with them.
    private static let preface: StaticString = "PRI * "

    private let handlers: ConnectionHandlers
    private var server: ServerContext { handlers.server }
    private var isDraining: Bool
    private var bytes = ByteBuffer()
    private var timer: LoopTimer?

    init(_ handlers: ConnectionHandlers, isDraining: Bool) {
        self.handlers = handlers
        self.isDraining = isDraining
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { startTimer(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        startTimer(context)
        context.fireChannelActive()
    }

    /// Sets the time in which the first bytes have to arrive. A client that may open a unix socket is trusted to keep it
    /// open and silent.
    private func startTimer(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        if isDraining { return closeIfQuiet(context) }
        guard context.channel.localAddress?.pathname == nil else { return }
        startTimer(context, server.configuration.limits.frameTimeout, counting: .frameTimeout)
    }

    /// Closes the connection of a stopping server if its first request is not under way. One that has begun to arrive has its
    /// time.
    private func closeIfQuiet(_ context: ChannelHandlerContext) {
        // A connection that is closed already still gets the event if it closes while the server stops.
        guard context.channel.isActive, bytes.readableBytes == 0 else { return }
        timer?.cancel()
        startTimer(context, server.configuration.drainQuietTime, counting: nil)
    }

    private func startTimer(_ context: ChannelHandlerContext, _ timeout: Duration, counting event: ServerEvent?) {
        let counters = server.counters(of: context.eventLoop)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let time = context.eventLoop.now + TimeAmount(timeout)
        timer = LoopTimer(at: time, on: context.eventLoop, counters: counters) {
            let (detector, context) = bound.value
            detector.timer = nil
            if let event { counters.count(event) }
            context.closeAtOnce()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        bytes.writeBuffer(&data)
        // No request of HTTP begins with the first byte of a frame.
        if handlers.takesFrames, bytes.readableBytesView.first == 0 {
            return open(context, handlers.framed(isDraining: isDraining))
        }
        guard handlers.pages == nil else { return openHTTP(context, isHTTP2: false) }
        let known = Self.preface.withUTF8Buffer { preface in
            bytes.readableBytesView.prefix(preface.count).elementsEqual(preface.prefix(bytes.readableBytes))
        }
        guard !known || bytes.readableBytes >= Self.preface.utf8CodeUnitCount else { return }
        openHTTP(context, isHTTP2: known)
    }

    private func openHTTP(_ context: ChannelHandlerContext, isHTTP2: Bool) {
        guard isAgreed(context.channel.securedChannel?.handshake, isHTTP2: isHTTP2) else {
            server.counters(of: context.eventLoop).count(.protocolError)
            return context.closeAtOnce()
        }
        open(context, isHTTP2 ? handlers.http2(isDraining: isDraining) : handlers.http1(isDraining: isDraining))
    }

    /// Puts the handlers of the wire in this one's place.
    private func open(_ context: ChannelHandlerContext, _ added: [any ChannelHandler]) {
        timer?.cancel()
        timer = nil
        do {
            let pipeline = context.pipeline.syncOperations
            try pipeline.addHandlers(added, position: .after(self))
            context.fireChannelRead(wrapInboundOut(bytes))
            pipeline.removeHandler(context: context, promise: nil)
        } catch {
            server.logger.error("cannot open a connection", metadata: ["error": "\(error)"])
            context.close(promise: nil)
        }
    }

    /// Returns whether the first bytes are those of the version that the handshake of TLS agreed on, if there was one.
    private func isAgreed(_ handshake: SecureHandshake?, isHTTP2: Bool) -> Bool {
        switch handshake?.applicationProtocol {
        case "h2": isHTTP2
        case "http/1.1": !isHTTP2
        default: true
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed, ConnectionEvent.drainEnds: context.close(promise: nil)
        case ConnectionEvent.drainBegins:
            isDraining = true
            closeIfQuiet(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        context.fireChannelInactive()
    }
}
