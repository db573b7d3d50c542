package import NIOCore

/// A protection of the bytes of a server's connections, such as TLS. A wire above it is the same as without.
public struct ChannelSecurity: Sendable {
    /// The name in logs. Two protections of one name count as equal.
    package let name: String
    package let open: Opening

    /// A function that adds the handlers of the protection to a new channel, behind its `SecuredChannel`. It runs on the
    /// channel's event loop.
    package typealias Opening = @Sendable (_ channel: any Channel, _ secured: SecuredChannel) throws -> Void

    package init(_ name: String, open: @escaping Opening) {
        self.name = name
        self.open = open
    }
}

extension ChannelSecurity: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The result of a handshake. It is also the event with which the protection announces that the handshake is complete.
package struct SecureHandshake: Sendable, Hashable {
    /// The protocol that both sides agreed on (ALPN); nil if the peer named none that is spoken here.
    package let applicationProtocol: String?
    /// The name by which the peer's verified certificate knows its principal, `marvel://principal/NAME`. Nil if the peer
    /// has no certificate, or one without such a name.
    package let principal: String?

    /// The name of the principal, without the prefix.
    package var principalName: String? { principal.map { String($0.dropFirst("marvel://principal/".count)) } }

    package init(applicationProtocol: String? = nil, principal: String? = nil) {
        self.applicationProtocol = applicationProtocol
        self.principal = principal
    }
}

/// A handler next to the socket of a protected connection: it counts the protected bytes, closes at once where the
/// protection would say goodbye first, and keeps the result of the handshake.
///
/// Protected bytes are more than those that the wire has made, and the kernel counts the protected ones.
package final class SecuredChannel: ChannelOutboundHandler {
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private let onFailure: () -> Void
    /// The number of protected bytes that were handed to the channel.
    package private(set) var sentByteCount = 0
    /// The result of the handshake; nil until it is complete.
    package private(set) var handshake: SecureHandshake?

    /// - Parameter onFailure: Counts a handshake that failed. It is called on the event loop of the connection.
    package init(onFailure: @escaping () -> Void) { self.onFailure = onFailure }

    /// Notes that the handshake is complete.
    package func completed(_ handshake: SecureHandshake) { self.handshake = handshake }

    /// Reports a handshake that failed.
    package func handshakeFailed() { onFailure() }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        sentByteCount += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    package func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?)
    {
        guard event is CloseAtOnce else { return context.triggerUserOutboundEvent(event, promise: promise) }
        context.close(promise: promise)
    }
}

/// An event that closes a protected connection without waiting for its peer.
private struct CloseAtOnce: Sendable {}

extension ChannelHandlerContext {
    /// Closes the connection now. A protection's goodbye is sent if the kernel takes it, and not awaited: the peer may have
    /// stopped to read, and what it was sent takes memory.
    package func closeAtOnce() {
        // Bytes that were written and not flushed may be the answer to a request that was carried out.
        flush()
        close(promise: nil)
        triggerUserOutboundEvent(CloseAtOnce(), promise: nil)
    }
}

extension Channel {
    /// Closes the connection now, as `ChannelHandlerContext.closeAtOnce` does. Any thread may call it.
    package func closeAtOnce() {
        // Bytes that were written and not flushed may be the answer to a request that was carried out.
        flush()
        close(promise: nil)
        triggerUserOutboundEvent(CloseAtOnce(), promise: nil)
    }

    /// The handler next to the socket, if the connection is protected. It is used on the channel's event loop only.
    package var securedChannel: SecuredChannel? { try? pipeline.syncOperations.handler(type: SecuredChannel.self) }
}
