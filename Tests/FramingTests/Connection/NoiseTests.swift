import Framing
import FramingDrivers
import MarvelDomain
import NIOCore
import RPCCore
import Testing

/// Random frames in random pieces through the decoder and a machine, as a transport drives them.
///
/// The drivers know what must hold: open calls stay within the limit, each call that starts ends once, streams keep to
/// their credit, nothing is left when the connection is closed. A failure names its seed, with which it can be repeated.
@Suite struct NoiseTests {
    @Test(arguments: [0, 400, 40])
    func aServerKeepsItsPromises(damage: Int) {
        for seed in UInt64(0)..<150 {
            var noise = FrameNoise(seed: seed)
            var random = SplitMix64(seed: ~seed)
            var server = ServerDriver(seed: seed)
            for piece in noise.split(noise.bytes(frames: 150, damage: damage)) {
                server.receive(piece)
                for _ in 0..<Int.random(in: 0...4, using: &random) { server.work() }
                if random.oneIn(20) { server.drain() }
            }
            server.disconnect()
            let (breaches, isIdle) = (server.breaches, server.isIdle)
            #expect(breaches.isEmpty, "seed \(seed)")
            #expect(isIdle, "seed \(seed)")
        }
    }

    @Test(arguments: [0, 400, 40])
    func aClientKeepsItsPromises(damage: Int) {
        for seed in UInt64(0)..<150 {
            var noise = FrameNoise(seed: seed)
            var random = SplitMix64(seed: ~seed)
            var client = ClientDriver(saysHello: random.oneIn(2))
            for piece in noise.split(noise.bytes(frames: 150, damage: damage)) {
                for _ in 0..<Int.random(in: 0...9, using: &random) {
                    client.call(random.oneIn(2) ? .unary : .serverStreaming)
                }
                if random.oneIn(3), let id = client.open.keys.sorted().randomElement(using: &random) {
                    client.abandon(id)
                }
                client.receive(piece)
            }
            client.disconnect()
            let (breaches, isIdle) = (client.breaches, client.open.isEmpty)
            #expect(breaches.isEmpty, "seed \(seed)")
            #expect(isIdle, "seed \(seed)")
        }
    }
}
