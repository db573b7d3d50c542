import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import HTTP2Frames

/// Any bytes, and frames in any order: nothing traps, and the events of each stream come in a possible order.
struct NoiseTests {
    /// A generator of the same numbers for the same seed.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    /// The streams as their events have shown them.
    private struct Model {
        private var open: [StreamID: Bool] = [:]
        private var last: StreamID = 0

        mutating func take(_ event: HTTP2Event) -> Bool {
            switch event {
            case .request(let id, _, let isEnd):
                guard id > last, id.rawValue % 2 == 1 else { return false }
                last = id
                open[id] = isEnd
            case .data(let id, _, let isEnd):
                guard open[id] == false else { return false }
                open[id] = isEnd
            case .trailers(let id, _):
                guard open[id] == false else { return false }
                open[id] = true
            case .reset(let id), .streamFault(let id):
                guard open.removeValue(forKey: id) != nil else { return false }
            default: break
            }
            return true
        }

        mutating func forget(_ id: StreamID) { open[id] = nil }
    }

    @Test(arguments: 0..<300)
    func eventsComeInAPossibleOrder(_ seed: UInt64) {
        var generator = Generator(state: seed)
        let scene = Scene(settings: [(4, UInt32.random(in: 0..<200, using: &generator))])
        var model = Model()
        for _ in 0..<300 {
            var bytes = Self.frame(&generator).bytes
            if Int.random(in: 0..<60, using: &generator) == 0,
                let index = bytes.indices.randomElement(using: &generator)
            {
                bytes[index] = .random(in: 0...255, using: &generator)
            }
            let cut = Int.random(in: 0...bytes.count, using: &generator)
            for part in [bytes[..<cut], bytes[cut...]] {
                scene.receive(Array(part))
                for event in scene.events {
                    let isPossible = model.take(event)
                    #expect(isPossible)
                }
                _ = scene.seen()
            }
            Self.answer(scene, &model, &generator)
            _ = scene.sent()
            for id in scene.closed() { model.forget(id) }
        }
        #expect(!scene.hasBrokenOutput)
        #expect(scene.openCount <= 4)
        #expect(
            scene.unsentByteCount
                == scene.waitingByteCount
        )
    }

    @Test(arguments: 0..<300)
    func noiseEndsTheConnectionAtMost(_ seed: UInt64) {
        var generator = Generator(state: seed)
        let scene = Scene()
        for _ in 0..<50 {
            let count = Int.random(in: 0..<200, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            // Lengths that are possible let more than the first frame be read.
            for index in stride(from: 0, to: max(0, bytes.count - 1), by: 40) {
                (bytes[index], bytes[index + 1]) = (0, 0)
            }
            scene.receive(bytes)
            _ = scene.sent()
        }
        #expect(!scene.hasBrokenOutput)
    }

    private static func frame(_ generator: inout Generator) -> Frame {
        let stream =
            UInt32.random(in: 0..<12, using: &generator) * 2 + (Int.random(in: 0..<40, using: &generator) == 0 ? 0 : 1)
        let isEnd = Bool.random(using: &generator)
        switch Int.random(in: 0..<30, using: &generator) {
        case 0..<10: return .headers(stream, end: isEnd)
        case 10..<16: return .data(stream, count: .random(in: 0..<300, using: &generator), end: isEnd)
        case 16..<20:
            return .windowUpdate(.random(in: 1..<500, using: &generator), Bool.random(using: &generator) ? stream : 0)
        case 20..<22: return .settings([(4, .random(in: 0..<400, using: &generator))])
        case 22: return .settings([(1, .random(in: 0..<9_000, using: &generator))])
        case 23..<25: return .reset(stream)
        case 25: return .ping
        case 26: return Frame(type: 2, stream: stream | 1, payload: [0, 0, 0, 0, 1])
        case 27: return Frame(type: 99, stream: stream)
        default: return .data(stream | 1, [1], end: isEnd)
        }
    }

    /// Does something with a stream, perhaps one that is not open.
    private static func answer(_ scene: Scene, _ model: inout Model, _ generator: inout Generator) {
        let stream = UInt32.random(in: 0..<12, using: &generator) * 2 + 1
        let count = Int.random(in: 0..<600, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: scene.sendHeaders(on: stream, end: Bool.random(using: &generator))
        case 1, 2: scene.send(count, on: stream, end: Bool.random(using: &generator))
        case 3, 4: scene.gather(count, on: stream)
        case 5:
            scene.machine.reset(StreamID(rawValue: stream), .cancel)
            model.forget(StreamID(rawValue: stream))
        case 6: scene.machine.openWindow(by: 100, on: StreamID(rawValue: stream))
        default: _ = scene.stalled()
        }
    }
}
