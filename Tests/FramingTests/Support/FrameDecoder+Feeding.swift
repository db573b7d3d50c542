import Framing
import NIOCore
import RPCCore

extension FrameDecoder {
    /// Feeds what arrived, as a transport does: behind what was left over, until the decoder wants more.
    ///
    /// - Parameters:
    ///   - pieces: What each read brought.
    ///   - rest: What no frame has taken yet; it goes in and comes out.
    /// - Returns: What the decoder made of it.
    /// - Throws: What the decoder throws.
    mutating func feed(_ pieces: [ByteBuffer], rest: inout ByteBuffer) throws(ConnectionError) -> [Output] {
        var outputs: [Output] = []
        for piece in pieces {
            rest.discardReadBytes()
            rest.writeImmutableBuffer(piece)
            while let output = try next(from: &rest) { outputs.append(output) }
        }
        return outputs
    }

    mutating func feed(_ pieces: [ByteBuffer]) throws(ConnectionError) -> [Output] {
        var rest = ByteBuffer()
        return try feed(pieces, rest: &rest)
    }
}
