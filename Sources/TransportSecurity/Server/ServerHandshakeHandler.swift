internal import Logging
internal import NIOCore
internal import NIOSSL
internal import NIOTLS
internal import RPCCore

/// A handler behind a server's TLS: it reports the result of the handshake, and keeps errors of TLS from the wire.
///
/// A connection ends when the certificate of its peer expires. A failed handshake is counted. An end of input without
/// close_notify is not an error: messages have lengths, so a truncated one is detected.
final class ServerHandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let tls: NIOSSLServerHandler
    private let secured: SecuredChannel
    private let logger: Logger
    private let now: @Sendable () -> Int
    private var hasFailed = false
    /// The next look at the time, if the peer has a certificate.
    private var nextLook: Scheduled<Void>?

    init(
        _ tls: NIOSSLServerHandler,
        secured: SecuredChannel,
        logger: Logger,
        now: @escaping @Sendable () -> Int
    ) {
        self.tls = tls
        self.secured = secured
        self.logger = logger
        self.now = now
    }

    func handlerRemoved(context: ChannelHandlerContext) { nextLook?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let applicationProtocol):
            let handshake = SecureHandshake(
                applicationProtocol: applicationProtocol,
                principal: tls.peerCertificate?.principal
            )
            secured.completed(handshake)
            context.fireUserInboundEventTriggered(handshake)
            if let certificate = tls.peerCertificate { close(context, after: Int(certificate.notValidAfter)) }
        case TLSUserEvent.shutdownCompleted:
            break
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// The longest time between two looks at the time, in seconds: somebody may set the clock.
    private static let longestLook = 60

    private func close(_ context: ChannelHandlerContext, after end: Int) {
        let left = end - now()
        guard left >= 0 else {
            logger.info("connection closed", metadata: ["reason": "the client certificate expired"])
            return context.closeAtOnce()
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        nextLook = context.eventLoop.scheduleTask(in: .seconds(Int64(min(left + 1, Self.longestLook)))) {
            let (handler, context) = bound.value
            handler.close(context, after: end)
        }
    }

    /// Handles an error. After one of TLS the handler of TLS closes the channel by itself.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error.isOfTLS else { return context.fireErrorCaught(error) }
        if case NIOSSLError.uncleanShutdown = error { return }
        if secured.handshake == nil, !hasFailed {
            hasFailed = true
            secured.handshakeFailed()
        }
        logger.debug("connection closed", metadata: ["error": "\(error)"])
    }
}

extension NIOSSLCertificate {
    private static let principalPrefix = "marvel://principal/"

    /// The URI that names the principal of a verified certificate. Nil if there is none, and if there is more than one: a
    /// certificate stands for one principal.
    var principal: String? {
        guard let names = verifiedNames() else { return nil }
        let principals = names.filter { $0.hasPrefix(Self.principalPrefix) && $0.count > Self.principalPrefix.count }
        return principals.count == 1 ? principals.first : nil
    }

    private func verifiedNames() -> [String]? {
        _subjectAlternativeNames().compactMap { name in
            guard name.nameType == .uri else { return nil }
            return name.contents.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
        }
    }
}

extension Error {
    var isOfTLS: Bool {
        self is NIOSSLError || self is BoringSSLError || self is NIOSSLExtraError || self is NIOSSLCloseTimedOutError
    }
}
