import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import HTTPCalls

/// Frames in any order, with any bytes: no call ends twice, and nothing traps.
struct GRPCClientNoiseTests {
    @Test(arguments: 0..<200)
    func everyCallEndsOnceWhateverTheServerSends(_ seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        var machine = GRPCClientStateMachine(
            GRPCClientLimits(streamWindow: seed.isMultiple(of: 2) ? 5 : 65_535, maximumMessageByteCount: 50)
        )
        var open: Set<UInt32> = []
        for _ in 0..<300 {
            if Int.random(in: 0..<4, using: &generator) == 0 {
                let kind: RPCCore.Method.Kind = Bool.random(using: &generator) ? .unary : .serverStreaming
                if case .send(let id) = machine.openCall(kind) { open.insert(id.rawValue) }
            }
            let id = UInt32.random(in: 0..<60, using: &generator)
            for action in Self.actions(&machine, StreamID(rawValue: id), &generator) {
                switch action {
                case .answer, .end, .fail, .refused:
                    #expect(open.remove(id) != nil)
                case .deliver:
                    #expect(open.contains(id))
                case .ignore:
                    break
                }
            }
            let increment = machine.widening(of: StreamID(rawValue: id))
            #expect(increment >= 0)
        }
        let left = machine.goAwayReceived(lastStreamID: 0)
        #expect(left.map(\.rawValue) == open.sorted())
        #expect(machine.isFinished)
    }

    /// Plays a frame of any kind.
    private static func actions(
        _ machine: inout GRPCClientStateMachine,
        _ id: StreamID,
        _ generator: inout SeededGenerator
    ) -> [GRPCClientStateMachine.OnFrame] {
        let isEnd = Int.random(in: 0..<4, using: &generator) == 0
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return [machine.streamReset(Int.random(in: 0..<20, using: &generator), on: id)]
        case 1, 2:
            var headers: HPACKHeaders = [":status": "200", "content-type": "application/grpc"]
            if Bool.random(using: &generator) { headers.add(name: "grpc-status", value: "\(id.rawValue % 20)") }
            return [machine.headersReceived(headers, on: id, isEnd: isEnd)]
        case 3:
            machine.messagesTaken(1, byteCount: 1_000, on: id)
            return []
        default:
            let flag: UInt8 = Int.random(in: 0..<20, using: &generator) == 0 ? 1 : 0
            let bytes = [flag, 0, 0, 0] + (0..<5).map { _ in UInt8.random(in: 0..<60, using: &generator) }
            let cut = bytes.prefix(Int.random(in: 0...9, using: &generator))
            machine.dataReceived(ByteBuffer(bytes: cut), paddingByteCount: 0, on: id)
            var actions: [GRPCClientStateMachine.OnFrame] = []
            while case let action = machine.nextMessage(on: id), action != .ignore { actions.append(action) }
            return isEnd ? actions + [machine.dataEnded(on: id)] : actions
        }
    }
}
