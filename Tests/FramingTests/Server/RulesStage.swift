import Framing
import NIOCore
import RPCCore

extension NIODeadline {
    /// The start of the connections of these tests.
    static let start = NIODeadline.uptimeNanoseconds(0)

    static func seconds(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }
}

/// The rules of a connection, and its calls, whose work ends when a test says so.
final class RulesStage {
    var rules: FrameRules
    var runner = CallRunner(creditTimeout: .seconds(10))
    private var working: [StreamID: RunningCall] = [:]

    private static let method = RPCMethod(name: "Test", kind: .serverStreaming) { _ throws(RPCError) in
        .later { () throws(RPCError) in .end }
    }

    /// - Parameters:
    ///   - limits: The limits for the peer.
    ///   - initialCredit: The credit in the peer's Hello; nil for a plain peer.
    init(_ limits: PeerLimits = PeerLimits(), initialCredit: UInt32? = nil) {
        rules = FrameRules(limits: limits)
        guard let initialCredit else { return }
        _ = receive(.hello)
        rules.helloReceived(initialCredit: initialCredit)
    }

    func receive(_ frame: Frame, at now: NIODeadline = .start) -> FrameRules.Action {
        let action = rules.received(frame, calls: runner, now: now)
        switch action {
        case .startCall(let id, let wantsStream):
            let call = IncomingCall(payload: frame.data)
            let credit = rules.initialCredit
            let answer = runner.begin(id, Self.method, call, wantsStream: wantsStream, credit: credit, now: now)
            precondition(answer == nil)
        case .stopCall(let id): runner.cancel(id)
        case .failCall(let id, let refusal): runner.fail(id, refusal.error)
        default: break
        }
        performAll()
        return action
    }

    func receiveOversized(_ type: FrameType, on id: StreamID) -> FrameRules.Action {
        rules.receivedOversized(.oversized(type, on: id), maximum: 1_000, calls: runner, now: .start)
    }

    func open(_ ids: StreamID...) { for id in ids { _ = receive(.request(id)) } }

    func openStream(_ id: StreamID) { _ = receive(.request(id, .remoteClosed)) }

    /// Ends a call, or the work of one that was stopped.
    func end(_ id: StreamID) {
        if let call = working[id] { runner.workFinished(call, .failure(RPCError(.aborted, "the test ends it"))) }
        performAll()
    }

    /// Makes the first message of a stream.
    func makeMessage(on id: StreamID) {
        if let call = working[id] { runner.workFinished(call, .success(.encoded(ByteBuffer(), then: Endless()))) }
        _ = runner.sendNext(now: .start)
        performAll()
    }

    private func performAll() {
        while let action = runner.nextAction() {
            if case .startWork(_, let call) = action { working[call.id] = call }
        }
    }
}

private final class Endless: MessageSource {
    func next() throws(RPCError) -> Step { .encoded(ByteBuffer(), then: self) }
}

/// A state of a connection. Stream 3 has ended by then, 1 was skipped.
enum RulesScene: CaseIterable {
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
    /// 5 was a unary call and is cancelled, 7 is a stream; the work of 5 continues.
    case stopping
    /// As `extendedCalls`, and the server is stopping.
    case draining

    var speaksExtensions: Bool {
        switch self {
        case .extended, .extendedCalls, .stopping, .draining: true
        case .fresh, .plain, .plainCalls: false
        }
    }

    var hasOpenCalls: Bool {
        switch self {
        case .plainCalls, .extendedCalls, .stopping, .draining: true
        case .fresh, .plain, .extended: false
        }
    }

    func isRunning(_ id: StreamID) -> Bool { hasOpenCalls && (id == 5 && self != .stopping || id == 7) }

    var lastStreamID: StreamID { self == .fresh ? 0 : hasOpenCalls ? 7 : 3 }

    func stage() -> RulesStage {
        let stage = RulesStage(initialCredit: speaksExtensions ? 2 : nil)
        guard self != .fresh else { return stage }
        stage.open(3)
        stage.end(3)
        if hasOpenCalls {
            stage.open(5)
            stage.openStream(7)
        }
        if self == .stopping { _ = stage.receive(.cancel(5)) }
        if self == .draining { stage.runner.drain() }
        return stage
    }
}
