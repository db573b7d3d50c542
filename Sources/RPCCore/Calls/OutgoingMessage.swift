package import NIOCore

/// A message that knows its encoded size and writes itself to a given place.
///
/// The size comes first because the frame's header and the envelope's length precede the bytes. A page from a catalog
/// copies its bytes once, directly into the connection's buffer. It is a class: a reference is cheaper to pass than a
/// value of unknown size.
package protocol OutgoingMessage: AnyObject, Sendable {
    var byteCount: Int { get }
    func write(to writer: inout MessageWriter)
}

package final class EncodedMessage: OutgoingMessage {
    package let bytes: ByteBuffer

    package init(_ bytes: ByteBuffer) { self.bytes = bytes }

    package var byteCount: Int { bytes.readableBytes }

    package func write(to writer: inout MessageWriter) { writer.write(bytes) }
}
