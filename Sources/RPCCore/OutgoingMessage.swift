package import NIOCore

/// A message that knows its encoded size and writes itself where it is told.
///
/// The size comes first because the frame's header and the envelope's length precede the bytes. A type that has
/// its bytes ready (a page cut from a catalog) copies them once, straight into the connection's buffer.
package protocol OutgoingMessage: Sendable {
    /// Exactly the number of bytes that `write(to:)` writes.
    var byteCount: Int { get }
    func write(to writer: inout MessageWriter)
}

extension ByteBuffer: OutgoingMessage {
    package var byteCount: Int { readableBytes }

    package func write(to writer: inout MessageWriter) {
        writer.write(self)
    }
}
