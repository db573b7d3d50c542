import Framing
import MarvelDomain
import NIOCore
import RPCCore
import Testing
import WireMessages

@testable import RPCServer

/// Requests that are refused before they are read.
@Suite(.timeLimit(.minutes(10)))
struct UnreadRequestTests {
    /// They count for the caller that Hello names.
    @Test func theyCountForTheCallerOfTheirConnection() async throws {
        var quotas = CallerQuotas()
        quotas.named = CallerLimits(callsPerSecond: 1, callBurst: 5, bytesPerSecond: 0)
        let records = [TestToken.record(1, [.catalogRead])]
        try await GuardedServer.run(records, quotas: quotas, callers: .one) { guarded in
            let peer = try await RawPeer.connect(to: guarded.server.addresses[0])
            try await peer.sayHello(authorization: Authorization.value(TestToken.token(1)))
            let large = ByteBuffer(repeating: 0, count: 100_000)
            for number in 0..<5 {
                try await peer.send(.request, on: .number(number), large)
                #expect(try await peer.nextStatus()?.reason == .messageTooLarge)
            }
            var reasons: [ErrorReason?] = []
            for number in 5..<8 {
                try await peer.send([.search(on: .number(number))])
                reasons.append(try await peer.nextStatus()?.reason)
            }
            #expect(reasons.contains(.rateLimit))
            try await peer.close()
        }
    }
}
