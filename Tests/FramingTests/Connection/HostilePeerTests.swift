import FramingDrivers
import MarvelDomain
import NIOCore
import Testing

/// Anything that a peer can send, in any pieces, with everything else that happens on a connection in between: requests
/// held for a peer that does not read, time that passes, a server that stops.
///
/// `ServerDriver` and `ClientDriver` check their promises at every step. A failure names its seed, with which
/// `play(_:seed:)` does the same again.
@Suite struct HostilePeerTests {
    enum Attack: CaseIterable {
        /// Well formed frames out of place, and damaged ones.
        case noise
        /// The frames of a correct peer in a conversation, some of them lost, repeated or changed.
        case mutation
        /// The same frame over and over.
        case flood
    }

    private static let seeds = UInt64(0)..<60

    @Test(arguments: Attack.allCases)
    func aServerKeepsItsPromises(attack: Attack) {
        for seed in Self.seeds {
            let bytes = Self.bytes(of: attack, from: \.client, seed: seed)
            let breaches = ServerDriver<FrameAccount>.play(bytes, seed: seed)
            #expect(breaches.isEmpty, "seed \(seed)")
        }
    }

    @Test(arguments: Attack.allCases)
    func aClientKeepsItsPromises(attack: Attack) {
        for seed in Self.seeds {
            let breaches = ClientDriver.play(Self.bytes(of: attack, from: \.server, seed: seed), seed: seed)
            #expect(breaches.isEmpty, "seed \(seed)")
        }
    }

    private static func bytes(
        of attack: Attack,
        from side: KeyPath<RecordedConversation, [ByteBuffer]>,
        seed: UInt64
    ) -> ByteBuffer {
        var noise = FrameNoise(seed: seed)
        var random = SplitMix64(seed: seed)
        switch attack {
        case .noise:
            return noise.bytes(frames: 200, damage: [0, 400, 40].randomElement(using: &random) ?? 0)
        case .mutation:
            let frames = RecordedConversation(seed: seed)[keyPath: side]
            return noise.mutated(frames, oneIn: [50, 10, 3].randomElement(using: &random) ?? 10)
        case .flood:
            let frame = noise.bytes(frames: 1, damage: 0)
            return ByteBuffer(bytes: repeatElement(frame.readableBytesView, count: 300).joined())
        }
    }
}
