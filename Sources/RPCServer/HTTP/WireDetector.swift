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
    /// Whether the first byte is that of a frame.
    private var isFramed = false
    private var frames = WrongPort.FrameReader()
    /// Whether frames of the framed port were answered. Later bytes are discarded.
    private var hasAnsweredFrames = false
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
        let counters = server.counters(of: context.eventLoop)
        startTimer(context, server.configuration.limits.frameTimeout) { counters.count(.frameTimeout) }
    }

    /// Closes the connection of a stopping server if its first request is not under way. One that has begun to arrive has its
    /// time.
    private func closeIfQuiet(_ context: ChannelHandlerContext) {
        // A connection that is closed already still gets the event if it closes while the server stops.
        guard context.channel.isActive, bytes.readableBytes == 0 else { return }
        timer?.cancel()
        startTimer(context, server.configuration.drainQuietTime) {}
    }

    private func startTimer(
        _ context: ChannelHandlerContext,
        _ timeout: Duration,
        onTimeout: @escaping @Sendable () -> Void
    ) {
        let counters = server.counters(of: context.eventLoop)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let time = context.eventLoop.now + TimeAmount(timeout)
        timer = LoopTimer(at: time, on: context.eventLoop, counters: counters) {
            let (detector, context) = bound.value
            detector.timer = nil
            onTimeout()
            context.closeAtOnce()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        guard !hasAnsweredFrames else { return }
        bytes.writeBuffer(&data)
        isFramed = isFramed || WrongPort.FrameReader.isFrame(bytes)
        guard !isFramed else {
            return handlers.takesFrames
                ? open(context, handlers.framed(isDraining: isDraining)) : answerFrames(context)
        }
        let known = Self.preface.withUTF8Buffer { preface in
            bytes.readableBytesView.prefix(preface.count).elementsEqual(preface.prefix(bytes.readableBytes))
        }
        guard handlers.pages == nil else { return openHTTP(context, isHTTP2: false) }
        guard !known || bytes.readableBytes >= Self.preface.utf8CodeUnitCount else { return }
        openHTTP(context, isHTTP2: known)
    }

    private var frameAdvice: String {
        guard handlers.pages == nil else { return "this port serves only web pages over HTTP" }
        let place = server.port(of: "framed").map { "the framed port is \($0)" } ?? "it has no framed port"
        return "this is the HTTP port: \(place)"
    }

    /// Answers a client of the framed port: its error says which port that is.
    private func answerFrames(_ context: ChannelHandlerContext) {
        let counters = server.counters(of: context.eventLoop)
        do throws(ConnectionError) {
            guard let answer = try frames.answer(to: &bytes, saying: frameAdvice) else { return }
            hasAnsweredFrames = true
            counters.count(.foreignUnknown)
            timer?.cancel()
            startTimer(context, server.configuration.lingerTimeout) {}
            context.writeAndFlush(NIOAny(answer), promise: nil)
            // The client closes when it has read the answer. Closed now, unread bytes would have the kernel drop it.
            context.close(mode: .output, promise: nil)
        } catch {
            counters.count(ServerEvent(error))
            context.closeAtOnce()
        }
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
        case ChannelEvent.inputClosed, ConnectionEvent.drainEnds: close(context)
        case ConnectionEvent.drainBegins:
            isDraining = true
            closeIfQuiet(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func close(_ context: ChannelHandlerContext) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        context.fireChannelInactive()
    }
}
