import FramingDrivers
import MarvelDomain
import NIOCore
import Testing

/// Frames in any order, a few of them wrong: nothing traps, events come in a possible order, and answers keep within windows.
struct NoiseTests {
    @Test(arguments: UInt64(0)..<300)
    func framesInAnyOrderBreakNoPromise(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var bytes: [UInt8] = []
        for _ in 0..<300 {
            var frame = Self.frame(&random).bytes
            if random.oneIn(60), let index = frame.indices.randomElement(using: &random) {
                frame[index] = random.bytes(1)[0]
            }
            bytes += frame
        }
        #expect(ServerDriver<HTTP2AnswerAccount>.play(ByteBuffer(bytes: bytes), seed: seed) == [])
    }

    /// The head of a call of the drivers' service: :method POST, :scheme http, :path //, content-type application/grpc.
    private static let call: [UInt8] =
        [0x83, 0x86, 0x04, 0x02, 0x2F, 0x2F, 0x0F, 0x10, 0x10] + Array("application/grpc".utf8)

    private static func frame(_ random: inout SplitMix64) -> Frame {
        let stream = UInt32.random(in: 0..<12, using: &random) * 2 + (random.oneIn(40) ? 0 : 1)
        let endStream = Bool.random(using: &random)
        switch Int.random(in: 0..<30, using: &random) {
        case 0..<4: return .headers(stream, end: endStream)
        case 4..<10: return .headers(stream, end: endStream, Self.call)
        case 10..<13: return .data(stream, [0, 0, 0, 0, 1, 7], end: endStream)
        case 13..<16: return .data(stream, count: .random(in: 0..<300, using: &random), end: endStream)
        case 16..<20: return .windowUpdate(.random(in: 1..<500, using: &random), endStream ? stream : 0)
        case 20..<22: return .settings([(4, .random(in: 0..<400, using: &random))])
        case 22: return .settings([(1, .random(in: 0..<9_000, using: &random))])
        case 23..<25: return .reset(stream)
        case 25: return .ping
        case 26: return Frame(type: 2, stream: stream | 1, payload: [0, 0, 0, 0, 1])
        case 27: return Frame(type: 99, stream: stream)
        default: return .data(stream | 1, [1], end: endStream)
        }
    }
}
