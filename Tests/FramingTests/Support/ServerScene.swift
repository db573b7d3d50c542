import Framing
import NIOCore
import RPCCore

/// A state that a server's machine is driven to by events. Stream 3 has ended by then, 1 was never opened.
enum ServerScene: CaseIterable {
    /// Nothing has arrived yet.
    case fresh
    /// A plain ttrpc peer, nothing open.
    case plain
    /// A peer that said Hello, nothing open.
    case extended
    /// 5 is a unary call, 7 a stream, and the peer is plain.
    case plainCalls
    /// 5 is a unary call, 7 a stream, and the peer said Hello.
    case extendedCalls
    /// 5 was a unary call and is cancelled, 7 is a stream; the handler of 5 still runs.
    case stopping
    /// As `extendedCalls`, and the server is stopping.
    case draining
    case closed

    static let unary: StreamID = 5
    static let stream: StreamID = 7

    var speaksExtensions: Bool {
        switch self {
        case .extended, .extendedCalls, .stopping, .draining: true
        case .fresh, .plain, .plainCalls, .closed: false
        }
    }

    var hasOpenCalls: Bool {
        switch self {
        case .plainCalls, .extendedCalls, .stopping, .draining: true
        case .fresh, .plain, .extended, .closed: false
        }
    }

    func isRunning(_ id: StreamID) -> Bool {
        hasOpenCalls && (id == Self.unary && self != .stopping || id == Self.stream)
    }

    /// Ended or about to: what comes for it now crossed its end.
    func isLate(_ id: StreamID) -> Bool {
        self != .fresh && id == 3 || self == .stopping && id == Self.unary
    }

    var lastStreamID: StreamID {
        if self == .fresh { return 0 }
        return hasOpenCalls ? Self.stream : 3
    }

    func machine() -> ServerConnectionStateMachine {
        var machine = ServerConnectionStateMachine()
        guard self != .fresh else { return machine }
        if speaksExtensions { machine.sayHello(initialCredit: 2) }
        machine.open(3)
        _ = machine.callEnded(3)
        if hasOpenCalls {
            machine.open(Self.unary)
            machine.openStream(Self.stream)
        }
        if self == .stopping { _ = machine.frameReceived(.cancel(Self.unary)) }
        if self == .draining { _ = machine.drain() }
        if self == .closed { _ = machine.connectionClosed() }
        return machine
    }
}

extension ServerConnectionStateMachine {
    mutating func sayHello(initialCredit: UInt32) {
        _ = frameReceived(.hello)
        _ = helloReceived(initialCredit: initialCredit)
    }

    mutating func open(_ id: StreamID, _ flags: FrameFlags = []) {
        _ = frameReceived(.request(id, flags))
    }

    mutating func openStream(_ id: StreamID) {
        open(id, .remoteClosed)
    }
}
