internal import Glibc
internal import NIOCore
internal import NIOSSL
internal import NIOTLS
internal import RPCCore

/// A handler behind a client's TLS: it reports the result of the handshake, and each failure with its cause.
final class ClientHandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let tls: NIOSSLClientHandler
    private let server: ServerEndpoint

    init(_ tls: NIOSSLClientHandler, to server: ServerEndpoint) {
        self.tls = tls
        self.server = server
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let applicationProtocol):
            context.fireUserInboundEventTriggered(SecureHandshake(applicationProtocol: applicationProtocol))
        case TLSUserEvent.shutdownCompleted:
            break
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The connection ends without a goodbye. Messages have lengths, so none can be cut short unnoticed.
        if case NIOSSLError.uncleanShutdown = error { return }
        guard error.isOfTLS else { return context.fireErrorCaught(error) }
        let certificate = tls.peerCertificate.map { ShownCertificate($0) }
        context.fireErrorCaught(SecurityError(ofHandshake: "\(error)", with: server, certificate, now: time(nil)))
    }
}

extension ShownCertificate {
    fileprivate init(_ certificate: NIOSSLCertificate) {
        let names = certificate._subjectAlternativeNames().compactMap { name -> String? in
            switch name.nameType {
            case .dnsName: return name.contents.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
            case .ipAddress:
                return name.contents.withUnsafeBufferPointer { bytes in
                    (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0))?.ipAddress
                }
            default: return nil
            }
        }
        self.init(validity: certificate.validity, names: names)
    }
}
