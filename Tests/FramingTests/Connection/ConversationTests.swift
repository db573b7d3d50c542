import Framing
import FramingDrivers
import MarvelDomain
import NIOCore
import RPCCore
import Testing

/// A client's machine and a server's connection talk to each other over bytes that arrive in random pieces.
@Suite struct ConversationTests {
    @Test(arguments: [true, false])
    func everyCallEndsAsItsServerEndedIt(saysHello: Bool) {
        for seed in UInt64(0)..<200 {
            var random = SplitMix64(seed: seed)
            var client = ClientDriver(saysHello: saysHello)
            let server = ServerDriver<FrameAccount>(seed: seed)
            for _ in 0..<60 {
                if client.open.count < FrameAccount.limits.maximumStreams, random.oneIn(2) {
                    client.call(random.oneIn(2) ? .unary : .serverStreaming)
                }
                // A plain client's server does not hear of it, so its call would fill the connection for ever.
                if saysHello, random.oneIn(10), let id = client.open.keys.sorted().randomElement(using: &random) {
                    client.abandon(id)
                }
                exchange(&client, server, &random)
            }
            #expect(server.isOpen, "seed \(seed): the server ended the connection")
            if random.oneIn(2) { server.drain() }
            var turns = 0
            while !(client.open.isEmpty && server.isIdle), turns < 10_000 {
                exchange(&client, server, &random)
                turns += 1
            }
            let breaches = client.breaches + server.breaches
            #expect(breaches.isEmpty, "seed \(seed)")
            #expect(turns < 10_000, "seed \(seed): something waits for ever")
            for (id, ending) in client.endings where ending == .answered {
                let (received, sent) = (client.messages[id] ?? 0, server.account.messageCount(of: id))
                if received != sent { Issue.record("seed \(seed): \(id) got \(received) messages of \(sent)") }
            }
            let failed = client.endings.values.contains(.failed)
            #expect(!failed, "seed \(seed)")
        }
    }

    private func exchange(
        _ client: inout ClientDriver,
        _ server: ServerDriver<FrameAccount>,
        _ random: inout SplitMix64
    ) {
        for piece in cut(client.takeOutbound(), &random) { server.receive(piece) }
        for _ in 0..<Int.random(in: 0...3, using: &random) { server.work() }
        for piece in cut(server.takeOutbound(), &random) { client.receive(piece) }
    }

    private func cut(_ bytes: ByteBuffer, _ random: inout SplitMix64) -> [ByteBuffer] {
        bytes.cut(at: [Int.random(in: 0...bytes.readableBytes, using: &random)])
    }

    @Test func aConnectionIsEmptyAfterALostPeer() {
        for seed in UInt64(0)..<50 {
            var random = SplitMix64(seed: seed)
            var client = ClientDriver(saysHello: true)
            let server = ServerDriver<FrameAccount>(seed: seed)
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                client.call(.serverStreaming)
                exchange(&client, server, &random)
            }
            client.disconnect()
            server.disconnect()
            let breaches = client.breaches + server.breaches
            let isEmpty = client.open.isEmpty && server.isIdle
            #expect(breaches.isEmpty, "seed \(seed)")
            #expect(isEmpty, "seed \(seed)")
        }
    }
}
