import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import RPCCore
import RPCTransport
import Testing

@testable import HTTPTransport

/// The client over sockets, with a server that does what a test says.
@Suite(.timeLimit(.minutes(1)))
struct GRPCClientTests {
    private static let echo = MethodPath(service: "test.v1.Test", method: "Echo")

    private func withClient(
        of server: ServerEndpoint,
        _ change: (inout RPCClientOptions) -> Void = { _ in },
        _ body: (RPCClient) async throws -> Void
    ) async throws {
        var options = RPCClientOptions()
        change(&options)
        let client = RPCClient(servers: [server], wire: { ClientWire($0) }, options: options, random: { 0 })
        let result: Result<Void, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await client.shutdown()
        try result.get()
    }

    private func text(_ client: RPCClient, isRepeatable: Bool = false, timeout: Duration? = nil) async throws -> String
    {
        String(
            buffer: try await client.unary(
                Self.echo,
                ByteBuffer(string: "x"),
                timeout: timeout,
                isRepeatable: isRepeatable
            )
        )
    }

    // MARK: Calls

    @Test func aCallHasTheHeadersOfGRPC() async throws {
        try await ScriptedHTTP2Server.run({ _, _ in HTTP2Frame.FramePayload.answer("yes") }) { server in
            try await withClient(of: server.endpoint) { client async throws in
                #expect(try await text(client, timeout: .seconds(60)) == "yes")
                #expect(try await text(client) == "yes")
            }
            let head = try #require(server.heads.first)
            #expect(head.first(name: ":method") == "POST")
            #expect(head.first(name: ":path") == "/test.v1.Test/Echo")
            #expect(head.first(name: ":authority") == "\(server.endpoint.address)")
            #expect(head.first(name: "content-type") == "application/grpc")
            #expect(head.first(name: "te") == "trailers")
            let timeout = try #require(head.first(name: "grpc-timeout"))
            #expect(timeout.hasSuffix("u"))
            #expect(server.heads.last?.contains(name: "grpc-timeout") == false)
        }
    }

    @Test func aMessageOverTheLimitEndsItsCallAlone() async throws {
        let script: ScriptedHTTP2Server.Script = { number, _ in
            HTTP2Frame.FramePayload.answer(number == 1 ? String(repeating: "x", count: 2_000) : "small")
        }
        try await ScriptedHTTP2Server.run(script) { server in
            try await withClient(of: server.endpoint, { $0.maximumFrameLength = 1_000 }) { client async throws in
                let error = await #expect(throws: RPCError.self) { try await text(client) }
                #expect((error?.code, error?.reason) == (.resourceExhausted, .messageTooLarge))
                #expect(try await text(client) == "small")
            }
        }
    }

    /// The answers of the other side are many, and each larger than a window.
    @Test func largeAnswersAreLetIn() async throws {
        let large = String(repeating: "x", count: 1_000_000)
        try await ScriptedHTTP2Server.run({ _, _ in HTTP2Frame.FramePayload.answer(large) }) { server in
            try await withClient(of: server.endpoint) { client async throws in
                for _ in 0..<10 { #expect(try await text(client) == large) }
            }
        }
    }

    // MARK: Retries

    @Test(
        arguments: [
            [.rstStream(.refusedStream)], [.failure(RPCError(.unavailable, "not now"))],
            [.goAway(lastStreamID: 0, errorCode: .noError, opaqueData: nil)],
        ] as [[HTTP2Frame.FramePayload]]
    )
    func whatMayPassIsSentAgain(_ first: [HTTP2Frame.FramePayload]) async throws {
        try await ScriptedHTTP2Server.run({ number, _ in number == 1 ? first : HTTP2Frame.FramePayload.answer("yes") })
        { server in
            try await withClient(of: server.endpoint) { client async throws in
                #expect(try await text(client, isRepeatable: true) == "yes")
                #expect(server.heads.count == 2)
            }
        }
    }

    /// The server has not begun them, so even calls that may run only once are sent again.
    @Test(
        arguments: [
            .rstStream(.refusedStream), .goAway(lastStreamID: 0, errorCode: .noError, opaqueData: nil),
        ] as [HTTP2Frame.FramePayload]
    )
    func aCallThatWasNotBegunIsSentAgainInAnyCase(_ refusal: HTTP2Frame.FramePayload) async throws {
        let script: ScriptedHTTP2Server.Script = { number, _ in
            number == 1 ? [refusal] : HTTP2Frame.FramePayload.answer("yes")
        }
        try await ScriptedHTTP2Server.run(script) { server in
            try await withClient(of: server.endpoint) { client async throws in #expect(try await text(client) == "yes")
            }
        }
    }

    @Test func aCallThatMayHaveRunIsNotSentAgain() async throws {
        try await ScriptedHTTP2Server.run({ _, _ in [.rstStream(.cancel)] }) { server in
            try await withClient(of: server.endpoint) { client async throws in
                let error = await #expect(throws: RPCError.self) { try await text(client) }
                #expect((error?.code, error?.origin) == (.cancelled, .peer))
            }
            #expect(server.heads.count == 1)
        }
    }

    /// A GOAWAY that names the call: it is answered on the old connection, and the next call takes another one.
    @Test func aCallThatTheServerFinishesIsNotSentAgain() async throws {
        let script: ScriptedHTTP2Server.Script = { number, id in
            [.goAway(lastStreamID: id, errorCode: .noError, opaqueData: nil)]
                + HTTP2Frame.FramePayload.answer("\(number) on \(Int(id))")
        }
        try await ScriptedHTTP2Server.run(script) { server in
            try await withClient(of: server.endpoint) { client async throws in
                #expect(try await text(client) == "1 on 1")
                #expect(try await text(client) == "2 on 1")
            }
        }
    }

    // MARK: Limits

    @Test func callsOverTheServersLimitWaitForOthers() async throws {
        let settings: HTTP2Settings = [HTTP2Setting(parameter: .maxConcurrentStreams, value: 1)]
        try await ScriptedHTTP2Server.run(
            settings: settings,
            { number, _ in HTTP2Frame.FramePayload.answer("\(number)") }
        ) { server in
            try await withClient(of: server.endpoint) { client async throws in
                #expect(try await text(client) == "1")
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<50 { group.addTask { try await self.text(client) } }
                    var answers: Set<String> = []
                    for try await answer in group { answers.insert(answer) }
                    #expect(answers == Set((2...51).map { "\($0)" }))
                }
            }
        }
    }

    @Test func aDeadlineResetsTheStream() async throws {
        try await ScriptedHTTP2Server.run({ _, _ in [] }) { server in
            try await withClient(of: server.endpoint) { client async throws in
                // On a busy machine a deadline may pass before its call is sent.
                while server.heads.isEmpty {
                    let error = await #expect(throws: RPCError.self) {
                        try await text(client, timeout: .milliseconds(100))
                    }
                    #expect((error?.code, error?.origin) == (.deadlineExceeded, .local))
                }
                while server.resetCodes.isEmpty { await Task.yield() }
                #expect(server.resetCodes.allSatisfy { $0 == .cancel })
            }
        }
    }

    // MARK: Other peers

    @Test(arguments: [
        Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), Array("SSH-2.0-x\r\n".utf8), [0, 0, 1, 0, 0, 0, 0, 0, 0, 7],
        Array(repeating: 0, count: 100),
    ])
    func whatIsNoHTTP2ServerIsUnavailable(_ bytes: [UInt8]) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Greeter(ByteBuffer(bytes: bytes)))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        let server = ServerEndpoint(.tcp(host: "127.0.0.1", port: port), wire: .grpc)
        try await withClient(of: server, { $0.retries = nil }) { client async throws in
            let error = await #expect(throws: RPCError.self) { try await text(client, timeout: .seconds(20)) }
            #expect((error?.code, error?.origin) == (.unavailable, .local))
        }
        try await channel.close()
    }

    /// Answers the first bytes of each connection with some of its own.
    private final class Greeter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let greeting: ByteBuffer

        init(_ greeting: ByteBuffer) { self.greeting = greeting }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(wrapOutboundOut(greeting), promise: nil)
        }
    }
}
