import NIOCore
import RPCCore
import Synchronization
import Testing
import WireClients

@testable import RPCServer

@Suite(.timeLimit(.minutes(10)))
struct ServerCallTests {
    @Test func waitingWorkContinuesOnTheEventLoop() async throws {
        try await Wire.framed.run { _, methods, peer in
            let number = try await peer.send(Call("WhereWorkRuns"))
            await methods.hasWaiting.wait()
            methods.holdsMayEnd()
            #expect(try await peer.answer(to: number) == Answer([ByteBuffer(bytes: [1])]))
        }
    }

    @Test func eachConnectionIsACaller() async throws {
        try await Wire.framed.serve { server, methods in
            for calls in [2, 1] {
                let peer = try await WirePeer.connect(.framed, to: server)
                for _ in 0..<calls { _ = try await peer.call(Call("Caller")) }
                try await peer.socket.close()
            }
            let callers = methods.callers.withLock(\.self)
            let (first, second) = (try #require(callers.first), try #require(callers.last))
            #expect(callers == [first, first, first, first, second, second])
            #expect(Set([first, second, .server]).count == 3)
        }
    }

    @Test func aDeadlineThatHasPassedIsNotStarted() async throws {
        try await RawPeer.run { _, methods, peer in
            try await peer.send([.request("Hold", on: 1, timeoutNanoseconds: -1)])
            #expect(try await peer.nextStatus()?.code == .deadlineExceeded)
            #expect(!methods.hasWaiting.isSet)
        }
    }
}
