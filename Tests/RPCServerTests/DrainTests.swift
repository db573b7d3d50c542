import Framing
import NIOCore
import RPCCore
import RPCServer
import Testing
import WireMessages

/// A server that stops while it is busy.
@Suite(.timeLimit(.minutes(1)))
struct DrainTests {
    @Test func aWatchIsEndedImmediately() async throws {
        try await TestServer.run { server, peer in
            try await peer.sayHello(initialCredit: 1)
            try await peer.call("Watch", on: 1, flags: .remoteClosed)
            #expect(try await peer.nextFrame()?.header.type == .data)
            // Answered behind the message, so the stream waits by now.
            try await peer.call("Echo", on: 3)
            #expect(try await peer.nextFrame()?.header.streamID == 3)
            server.server.stop()
            #expect(try await peer.nextFrame()?.goAwayReason == "DRAINING")
            let status = try #require(try await peer.nextStatus())
            #expect(status.code == .unavailable)
            #expect(status.reason == .draining)
            #expect(try await peer.nextFrame() == nil)
            await server.server.run()
        }
    }

    /// Stopped under load: every call ends, with its answer or with a status that says to send it again.
    @Test(arguments: 0..<5)
    func everyCallEnds(_ round: Int) async throws {
        try await TestServer.run { server in
            let peers = try await connect(4, to: server)
            for peer in peers {
                try await peer.send((0..<100).map { .request("Echo", on: .number($0), "\($0)") })
            }
            server.server.stop()
            for peer in peers {
                let frames = try await peer.allFrames()
                let goAway = frames.first { $0.header.type == .goAway }
                let data = try #require(goAway?.data)
                let last = try GoAwayMessage(decoding: data, limit: .response).lastStreamID
                let responses = frames.filter { $0.header.type == .response }
                let answered = Set(responses.map(\.header.streamID.rawValue))
                // What the GoAway covers has its answer; the rest was never looked at.
                #expect(answered.isSuperset(of: stride(from: 1, through: last, by: 2)))
                for response in responses {
                    let status = try response.status
                    #expect(status == nil || status?.reason == .draining)
                }
            }
        }
    }

    private func connect(_ count: Int, to server: TestServer) async throws -> [RawPeer] {
        var peers: [RawPeer] = []
        for _ in 0..<count {
            let peer = try await RawPeer.connect(to: server.address)
            try await peer.sayHello()
            peers.append(peer)
        }
        return peers
    }
}
