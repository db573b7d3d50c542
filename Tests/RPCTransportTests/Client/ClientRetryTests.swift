import Framing
import NIOCore
import RPCCore
import Testing

@testable import RPCTransport

/// Calls that fail and are sent again, or are not.
@Suite(.timeLimit(.minutes(1)))
struct ClientRetryTests {
    /// Waits of no length: the tests are about whether and where, the policy's own tests about when.
    private func client(_ addresses: [ServerAddress], retries: RetryPolicy? = RetryPolicy()) -> RPCClient {
        var options = RPCClientOptions()
        options.retries = retries
        return RPCClient(addresses: addresses, options: options, random: { 0 })
    }

    private func call(_ client: RPCClient, isRepeatable: Bool = true, timeout: Duration? = nil) async throws -> String {
        let answer = try await client.unary(
            TestService.path("Echo"),
            ByteBuffer(),
            timeout: timeout,
            isRepeatable: isRepeatable
        )
        return String(buffer: answer)
    }

    private static let unavailable = RPCError(.unavailable, "not now")

    /// Fails the first `count` Requests, and answers the others.
    private static func failing(_ count: Int, with error: RPCError) -> ScriptedServer.Script {
        { frame, before in
            guard frame.header.type == .request else { return .send([]) }
            let id = frame.header.streamID
            return .send([before < count ? .failure(id, error) : .answer(id, "\(before)")])
        }
    }

    @Test(arguments: [
        unavailable, RPCError(.resourceExhausted, "full", details: [.retryInfo(.milliseconds(1))]),
    ])
    func whatMayPassIsSentAgain(error: RPCError) async throws {
        try await ScriptedServer.run(Self.failing(3, with: error)) { server in
            let client = client([server.address])
            let answer = try await call(client)
            #expect(answer == "3")
            await client.shutdown()
        }
    }

    @Test func theFifthFailureIsTheCallers() async throws {
        try await ScriptedServer.run(Self.failing(9, with: Self.unavailable)) { server in
            let client = client([server.address])
            let error = await #expect(throws: RPCError.self) { try await call(client) }
            #expect(error?.message == "not now")
            // The budget lets through four repeats before the first success.
            #expect(server.requestCount == 5)
            await client.shutdown()
        }
    }

    @Test(arguments: [
        (unavailable, false, true), (RPCError(.deadlineExceeded, "late"), true, true), (unavailable, true, false),
    ])
    func otherFailuresAreNot(error: RPCError, isRepeatable: Bool, retries: Bool) async throws {
        try await ScriptedServer.run(Self.failing(1, with: error)) { server in
            let client = client([server.address], retries: retries ? RetryPolicy() : nil)
            let thrown = await #expect(throws: RPCError.self) { try await call(client, isRepeatable: isRepeatable) }
            #expect(thrown?.code == error.code)
            #expect(server.requestCount == 1)
            await client.shutdown()
        }
    }

    /// A server of ttrpc 1.1 answers each call with one Response, a stream too.
    @Test(.timeLimit(.minutes(1)), arguments: ["", "the only message"])
    func aStreamMayEndWithAResponseThatHoldsItsLastMessage(text: String) async throws {
        try await ScriptedServer.run({ frame, _ in
            frame.header.type == .request ? .send([.answer(frame.header.streamID, text)]) : .send([])
        }) { server in
            let client = client([server.address])
            var messages: [String] = []
            for try await message in client.serverStream(TestService.path("Count"), ByteBuffer()) {
                messages.append(String(buffer: message))
            }
            #expect(messages == (text.isEmpty ? [] : [text]))
            await client.shutdown()
        }
    }

    @Test(arguments: [true, false])
    func aLostConnectionIsASafeCallsSecondChance(isRepeatable: Bool) async throws {
        try await ScriptedServer.run({ frame, before in
            guard frame.header.type == .request else { return .send([]) }
            return before == 0 ? .close : .send([.answer(frame.header.streamID, "again")])
        }) { server in
            let client = client([server.address])
            if isRepeatable {
                let answer = try await call(client)
                #expect(answer == "again")
            } else {
                let error = await #expect(throws: RPCError.self) { try await call(client, isRepeatable: false) }
                #expect(error?.reason == .connectionLost)
                #expect(error?.mayHaveReachedServer == true)
            }
            await client.shutdown()
        }
    }

    /// What the server says it never began may be sent elsewhere, whatever it is.
    @Test func goAwaySendsUnbegunCallsToTheOtherServer() async throws {
        try await ScriptedServer.run({ frame, _ in
            frame.header.type == .request ? .send([.answer(frame.header.streamID, "other")]) : .send([])
        }) { other in
            try await ScriptedServer.run({ frame, _ in
                guard frame.header.type == .request else { return .send([]) }
                return .send([.goAway(last: 0, retryAfter: .seconds(60))])
            }) { server in
                let client = client([other.address, server.address])
                let answer = try await call(client, isRepeatable: false)
                #expect(answer == "other")
                #expect(server.requestCount == 1)
                await client.shutdown()
            }
        }
    }

    @Test func aCallThatTheStoppingServerHasBegunIsAnsweredThere() async throws {
        try await ScriptedServer.run({ frame, _ in
            let id = frame.header.streamID
            return frame.header.type == .request
                ? .send([.goAway(last: id.rawValue), .answer(id, "still")]) : .send([])
        }) { server in
            let client = client([server.address])
            let answer = try await call(client, isRepeatable: false)
            #expect(answer == "still")
            await client.shutdown()
        }
    }

    @Test func waitingForAServerEndsWithTheCallersTime() async throws {
        var options = RPCClientOptions()
        options.reconnecting = Backoff(initial: .seconds(60), maximum: .seconds(60))
        let client = RPCClient(addresses: [.unix(path: "/nowhere/at/all")], options: options, random: { 1 })
        let error = await #expect(throws: RPCError.self) { try await call(client, timeout: .seconds(30)) }
        #expect(error?.reason == .serverUnreachable)
        #expect(error?.retryDelay.map { $0 > .seconds(30) && $0 <= .seconds(60) } == true)
        await client.shutdown()
    }
}
