import Framing
import FramingDrivers
import MarvelDomain
import NIOCore
import RPCCore

/// Frames as a peer could send them that errs, or means harm: well formed, and often out of place.
struct FrameNoise {
    private var random: SplitMix64
    private var nextID: UInt32 = 1

    private init(seed: UInt64) { random = SplitMix64(seed: seed) }

    static func bytes(frames count: Int, seed: UInt64) -> ByteBuffer {
        var noise = FrameNoise(seed: seed)
        var bytes = ByteBuffer()
        if noise.random.oneIn(2) { bytes.writeImmutableBuffer(Frame(.hello, on: .connection).encoded) }
        for _ in 0..<count { bytes.writeImmutableBuffer(noise.frame().encoded) }
        return bytes
    }

    private mutating func frame() -> Frame {
        let types: [FrameType] = [
            .request, .request, .request, .data, .data, .response, .hello, .cancel, .credit, .credit, .ping, .goAway,
            FrameType(rawValue: UInt8.random(in: 0...255, using: &random)),
        ]
        let type = types.randomElement(using: &random) ?? .request
        let flags = FrameFlags(
            rawValue: random.oneIn(10)
                ? UInt8.random(in: 0...255, using: &random) : UInt8.random(in: 0...7, using: &random)
        )
        return Frame(type, on: streamID(type), flags: flags, data: data(type))
    }

    private mutating func streamID(_ type: FrameType) -> StreamID {
        if [.hello, .ping, .goAway].contains(type), !random.oneIn(8) { return .connection }
        if type == .request, !random.oneIn(5) {
            nextID += random.oneIn(5) ? 4 : 2
            return StreamID(rawValue: nextID)
        }
        let strange: [UInt32] = [0, 2, 1, 0xFFFF_FFFD, 0xFFFF_FFFF]
        if random.oneIn(10), let id = strange.randomElement(using: &random) { return StreamID(rawValue: id) }
        return StreamID(rawValue: UInt32.random(in: (nextID > 20 ? nextID - 20 : 0)...nextID + 2, using: &random) | 1)
    }

    private mutating func data(_ type: FrameType) -> ByteBuffer {
        switch type {
        case .credit where !random.oneIn(5):
            ByteBuffer(integer: random.oneIn(5) ? .max : UInt32.random(in: 0...3, using: &random))
        case .ping where !random.oneIn(5): ByteBuffer(repeating: 1, count: 8)
        case .data where random.oneIn(2): ByteBuffer()
        default: ByteBuffer(repeating: 0, count: Int.random(in: 0...(random.oneIn(10) ? 600 : 20), using: &random))
        }
    }
}
