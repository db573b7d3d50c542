import Framing
import FramingDrivers
import MarvelDomain
import NIOCore
import RPCCore

/// A conversation of a correct client and a correct server: the frames of each side, in order.
struct RecordedConversation {
    private(set) var client: [ByteBuffer] = []
    private(set) var server: [ByteBuffer] = []

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var client = ClientDriver(saysHello: random.oneIn(2))
        let server = ServerDriver<FrameAccount>(seed: random.next())
        for _ in 0..<40 {
            if client.open.count < FrameAccount.limits.maximumStreams {
                client.call(random.oneIn(2) ? .unary : .serverStreaming)
            }
            if random.oneIn(10), let id = client.open.keys.sorted().randomElement(using: &random) { client.abandon(id) }
            let request = client.takeOutbound()
            server.receive(request)
            for _ in 0..<3 { server.work() }
            let answer = server.takeOutbound()
            client.receive(answer)
            self.client += Self.frames(in: request)
            self.server += Self.frames(in: answer)
        }
    }

    private static func frames(in bytes: ByteBuffer) -> [ByteBuffer] {
        var decoder = FrameDecoder()
        guard let outputs = try? decoder.feed([bytes]) else { return [] }
        return outputs.map { output in
            guard case .frame(let frame) = output else { preconditionFailure("a driver sent an oversized frame") }
            return frame.encoded
        }
    }
}

extension FrameNoise {
    /// Frames of which some are lost, repeated, moved, cut, or changed in one byte.
    mutating func mutated(_ frames: [ByteBuffer], oneIn rate: Int) -> ByteBuffer {
        var frames = frames
        for _ in 0..<max(1, frames.count / rate) where frames.count > 1 {
            let index = Int.random(in: 0..<frames.count, using: &random)
            let other = Int.random(in: 0..<frames.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: frames.remove(at: index)
            case 1: frames.insert(frames[other], at: index)
            case 2: frames.swapAt(index, other)
            case 3: frames[index].moveWriterIndex(to: Int.random(in: 0...frames[index].writerIndex, using: &random))
            default: change(&frames[index])
            }
        }
        return ByteBuffer(bytes: frames.map(\.readableBytesView).joined())
    }

    /// Mostly its type, its flags, or the low byte of its stream or length: the rest soon is no frame.
    private mutating func change(_ frame: inout ByteBuffer) {
        let place = [8, 9, 7, 3].randomElement(using: &random) ?? 0
        let byte = UInt8.random(in: 0...(random.oneIn(2) ? 32 : 255), using: &random)
        frame.setInteger(byte, at: random.oneIn(4) ? Int.random(in: 0..<frame.writerIndex, using: &random) : place)
    }
}
