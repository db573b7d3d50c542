import FramingDrivers
import FuzzTargets
import MarvelDomain
import NIOCore
import Testing

/// A short run of the targets of libFuzzer (`deploy/fuzz`): every kept input, and a few made from them.
struct FuzzTests {
    @Test func everyTargetHasItsCorpusAndNothingElse() throws {
        #expect(try Corpus.folders() == Set(FuzzTarget.all.map(\.name)))
    }

    @Test(arguments: FuzzTarget.all)
    func theCorpusFindsNothing(target: FuzzTarget) throws {
        let inputs = try Corpus.inputs(of: target)
        #expect(!inputs.isEmpty)
        for (name, bytes) in inputs {
            let breaches = target.run(bytes)
            #expect(breaches.isEmpty, "\(name)")
        }
    }

    @Test(arguments: FuzzTarget.all)
    func inputsMadeFromTheCorpusFindNothing(target: FuzzTarget) throws {
        let inputs = try Corpus.inputs(of: target).map(\.bytes)
        for seed in UInt64(0)..<300 {
            var random = SplitMix64(seed: seed)
            let bytes = try #require(inputs.randomElement(using: &random))
            let other = try #require(inputs.randomElement(using: &random))
            // Large ones have been run whole above; hundreds of them would take too long.
            let input = random.mutation(of: bytes.prefix(2048), with: other)
            let breaches = target.run(input)
            if !breaches.isEmpty { Issue.record("seed \(seed): \(breaches)\n\(input.readableBytesView.map { $0 })") }
        }
    }

    @Test(arguments: FuzzTarget.all)
    func noiseFindsNothing(target: FuzzTarget) {
        for seed in UInt64(0)..<300 {
            var random = SplitMix64(seed: seed)
            let noise = ByteBuffer(bytes: random.bytes(Int.random(in: 0...200, using: &random)))
            let breaches = target.run(noise)
            #expect(breaches.isEmpty, "seed \(seed)")
        }
    }
}

extension ByteBuffer {
    fileprivate func prefix(_ count: Int) -> ByteBuffer {
        getSlice(at: readerIndex, length: min(count, readableBytes)) ?? ByteBuffer()
    }
}
