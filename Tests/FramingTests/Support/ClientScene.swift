import Framing
import NIOCore
import RPCCore

/// A state that a client's machine is driven to by events. Stream 1 has ended in each but `fresh`.
enum ClientScene: CaseIterable {
    /// Nothing was sent yet.
    case fresh
    /// One call was made and answered.
    case idle
    /// 3 waits for one answer, 5 for a stream.
    case calls
    /// As `calls`, and the server has said GoAway: it finishes both.
    case draining
    case closed

    static let unary: StreamID = 3
    static let stream: StreamID = 5

    var hasOpenCalls: Bool { self == .calls || self == .draining }

    func machine() -> ClientConnectionStateMachine {
        var machine = ClientConnectionStateMachine()
        guard self != .fresh else { return machine }
        _ = machine.openCall(.unary)
        _ = machine.frameReceived(.response(1))
        if hasOpenCalls {
            _ = machine.openCall(.unary)
            _ = machine.openCall(.serverStreaming)
        }
        if self == .draining { _ = machine.goAwayReceived(lastStreamID: Self.stream) }
        if self == .closed { _ = machine.connectionClosed() }
        return machine
    }
}

extension ClientConnectionStateMachine {
    enum Phase {
        case acceptsCalls
        case finishesCalls
        case finished
    }

    /// Both claims of the machine as one value, which `#expect` can hold where it cannot hold the machine.
    var phase: Phase {
        if isFinished { return .finished }
        return acceptsCalls ? .acceptsCalls : .finishesCalls
    }
}
