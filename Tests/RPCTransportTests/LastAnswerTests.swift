import NIOCore
import RPCCore
import RPCTransport
import Synchronization
import Testing

/// Requests that a connection sends again, and answers that are sent again.
@Suite(.timeLimit(.minutes(1)))
struct LastAnswerTests {
    private let path = TestService.path("Repeat")

    /// Calls `Repeat`, and checks its answer and whether the method was asked for it.
    private func call(
        _ request: String = "a",
        of server: TestServer,
        by client: RPCClient,
        answer expected: String = "first",
        isNew: Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = server.service.repeatCount.load(ordering: .relaxed)
        let answer = try await client.unary(path, ByteBuffer(string: request))
        let after = server.service.repeatCount.load(ordering: .relaxed)
        #expect(String(buffer: answer) == expected, sourceLocation: sourceLocation)
        #expect((after > before) == isNew, sourceLocation: sourceLocation)
    }

    @Test func anAnswerIsSentAgainWhileItIsCurrent() async throws {
        try await TestServer.run { server in
            try await server.withClient { client in
                try await call(of: server, by: client, isNew: true)
                for _ in 0..<3 { try await call(of: server, by: client, isNew: false) }

                server.service.repeated.withLock { $0 = EncodedMessage(ByteBuffer(string: "second")) }
                try await call(of: server, by: client, answer: "second", isNew: true)
                for _ in 0..<3 { try await call(of: server, by: client, answer: "second", isNew: false) }
            }
        }
    }

    @Test func anotherRequestIsAnsweredByTheMethod() async throws {
        try await TestServer.run { server in
            try await server.withClient { client in
                for request in ["a", "b", "a", "ab", ""] {
                    try await call(request, of: server, by: client, isNew: true)
                }
            }
        }
    }

    @Test func aLongRequestIsNotKept() async throws {
        try await TestServer.run { server in
            try await server.withClient { client in
                let request = String(repeating: "a", count: 300)
                for _ in 0..<2 { try await call(request, of: server, by: client, isNew: true) }
            }
        }
    }

    @Test func anotherConnectionIsAnsweredByTheMethod() async throws {
        try await TestServer.run { server in
            for _ in 0..<2 {
                try await server.withClient { client in
                    try await call(of: server, by: client, isNew: true)
                    try await call(of: server, by: client, isNew: false)
                }
            }
        }
    }

    @Test func aStreamIsNeverAnsweredByTheAnswerOfACall() async throws {
        try await TestServer.run { server in
            try await server.withClient { client in
                for isNew in [true, false] { try await call(of: server, by: client, isNew: isNew) }
                var messages: [String] = []
                for try await message in client.serverStream(path, ByteBuffer(string: "a")) {
                    messages.append(String(buffer: message))
                }
                #expect(messages == ["first"])
                #expect(server.service.repeatCount.load(ordering: .relaxed) == 2)
            }
        }
    }
}
