internal import MarvelDomain
package import NIOCore
internal import RPCCore

extension ClientDriver {
    /// Plays what a server sent, cut into reads, with the client's own events between them, to the connection's end.
    ///
    /// - Parameters:
    ///   - bytes: Anything.
    ///   - seed: Decides on the cuts, and on what the client does when.
    /// - Returns: Each breach of a promise; none, if all is well.
    package static func play(_ bytes: ByteBuffer, seed: UInt64) -> [String] {
        var random = SplitMix64(seed: seed)
        var client = ClientDriver(saysHello: random.oneIn(2))
        var rest = bytes
        while let piece = random.read(from: &rest) {
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                client.call(random.oneIn(2) ? .unary : .serverStreaming)
            }
            if random.oneIn(8), let id = client.open.keys.sorted().randomElement(using: &random) { client.abandon(id) }
            if random.oneIn(8) { client.withdraw() }
            client.receive(piece)
        }
        client.disconnect()
        return client.breaches + (client.open.isEmpty ? [] : ["calls are open after the connection"])
    }
}
