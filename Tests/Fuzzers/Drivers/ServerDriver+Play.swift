internal import MarvelDomain
package import NIOCore

extension ServerDriver {
    /// Plays what a peer sent, cut into reads, with the server's own events between them, to the connection's end.
    ///
    /// - Parameters:
    ///   - bytes: Anything.
    ///   - seed: Decides on the cuts, and on what the server does when.
    /// - Returns: Each breach of a promise; none, if all is well.
    package static func play(_ bytes: ByteBuffer, seed: UInt64) -> [String] {
        var random = SplitMix64(seed: seed)
        var server = ServerDriver(seed: random.next())
        var rest = bytes
        while let piece = random.read(from: &rest) {
            server.receive(piece)
            for _ in 0..<Int.random(in: 0...4, using: &random) { server.work() }
            switch Int.random(in: 0..<64, using: &random) {
            case 0..<4: server.readingChanged(peerReads: false)
            case 4..<12: server.readingChanged(peerReads: true)
            case 12..<16: server.pongSent()
            case 16..<20: server.wait(.seconds(1))
            case 20: server.wait(.minutes(6))
            case 21: server.drain()
            default: break
            }
        }
        server.readingChanged(peerReads: true)
        for _ in 0..<Int.random(in: 0...32, using: &random) { server.work() }
        server.disconnect()
        server.expect(server.isIdle, "calls are running after the connection")
        return server.breaches
    }
}

extension SplitMix64 {
    /// Takes the bytes of one read: everything, a few bytes, or one byte.
    mutating func read(from bytes: inout ByteBuffer) -> ByteBuffer? {
        guard bytes.readableBytes > 0 else { return nil }
        let most = [1, 16, 64, 1024, bytes.readableBytes].randomElement(using: &self) ?? 1
        return bytes.readSlice(length: min(Int.random(in: 1...most, using: &self), bytes.readableBytes))
    }
}
