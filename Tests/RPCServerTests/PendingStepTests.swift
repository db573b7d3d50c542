import NIOCore
import NIOPosix
import RPCCore
import Synchronization
import Testing
import WireClients

@testable import RPCServer

/// Calls whose answers are made elsewhere and arrive by a call back.
@Suite(.timeLimit(.minutes(10)))
struct PendingStepTests {
    @Test func stepsThatArriveTogetherAnswerTheirCalls() async throws {
        try await Wire.framed.run { _, methods, peer in
            let requests = (0..<50).map { ByteBuffer(integer: $0) }
            for request in requests { try await peer.send(Call("Pend", request)) }
            try await eventually { methods.pended.answers.count == 50 }
            for answer in methods.pended.answers { answer() }
            for (number, request) in requests.enumerated() {
                #expect(try await peer.answer(to: number) == Answer([request]))
            }
        }
    }

    @Test func aStepMayArriveAtOnce() async throws {
        try await Wire.framed.run { (_, _, peer) async throws in
            #expect(try await peer.call(Call("Pend")) == Answer([ByteBuffer()]))
        }
    }

    @Test func aStepIsCancelledWithItsCall() async throws {
        try await Wire.framed.run { _, methods, peer in
            let number = try await peer.send(Call("Pend", ByteBuffer(string: "a")))
            try await eventually { !methods.pended.answers.isEmpty }
            try await peer.cancel(number)
            await methods.pended.hasCancelled.wait()
        }
    }
}

/// Calls that are answered with their requests when a test says so, or at once if they are empty. The answer is made on an
/// event loop, or it is an error.
final class PendedCalls: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])
    let hasCancelled = Signal()

    /// The functions that let the calls answer.
    var answers: [@Sendable () -> Void] { waiting.withLock(\.self) }

    func method(_ name: String) -> RPCMethod {
        RPCMethod(name: name, kind: .unary) { call in .pending(PendedCall(call.payload, self)) }
    }

    private final class PendedCall: PendingStep {
        private let payload: ByteBuffer
        private let calls: PendedCalls

        init(_ payload: ByteBuffer, _ calls: PendedCalls) { (self.payload, self.calls) = (payload, calls) }

        func begin(_ arrived: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            guard payload.readableBytes > 0 else {
                arrived()
                return {}
            }
            calls.waiting.withLock { $0.append(arrived) }
            return { [calls] in
                calls.hasCancelled.set()
                arrived()
            }
        }

        func step() throws(RPCError) -> Step {
            guard MultiThreadedEventLoopGroup.currentEventLoop != nil else { throw RPCError(.internalError, "") }
            return .last(payload)
        }
    }
}
