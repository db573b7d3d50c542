package import NIOCore

/// A message that knows its encoded size and writes itself to a given place.
///
/// The size comes first because the frame's header and the envelope's length precede the bytes. A type that has
/// its bytes ready (a page cut from a catalog) copies them once, straight into the connection's buffer.
///
/// It is a class, like `MessageSource`: passing a reference costs less than copying a value of unknown size.
package protocol OutgoingMessage: AnyObject, Sendable {
    /// Exactly the number of bytes that `write(to:)` writes.
    var byteCount: Int { get }
    func write(to writer: inout MessageWriter)
}

/// A message that is already encoded. Several calls may send the same one.
package final class EncodedMessage: OutgoingMessage {
    package let bytes: ByteBuffer

    package init(_ bytes: ByteBuffer) { self.bytes = bytes }

    package var byteCount: Int { bytes.readableBytes }

    package func write(to writer: inout MessageWriter) { writer.write(bytes) }
}
