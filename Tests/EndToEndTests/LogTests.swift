import ChildProcesses
import Foundation
import MarvelClient
import NIOCore
import RPCClient
import RPCCore
import Testing

/// The log of a server, whatever its peers send.
@Suite(.timeLimit(.minutes(10)))
struct LogTests {
    /// Texts that would begin a line, end a string or command a terminal.
    private static let hostileTexts = [
        "\r\n{\"message\":\"forged\"}\r\n", "\n\n\n", "a\0b", "\u{1B}[2J\u{1B}]0;title\u{7}", "\u{9B}31m\u{85}\u{7F}",
        "\u{2028}\u{2029}", "\",\"message\":\"forged\",\"x\":\"", "\\", "%s%n",
    ]

    /// The server logs at its most detailed level.
    @Test func noTextOfAPeerReachesALogUnescaped() async throws {
        let folder = try TemporaryFolder()
        let server = try RunningProgram(
            "marvel-server",
            ["--framed", "127.0.0.1:0", "--store", folder.path("s"), "--log-level", "debug"]
        )
        let address = try await server.listeningAddress()
        for text in Self.hostileTexts {
            await callWithHostileNames(text, try #require(ServerAddress(address)))
            try await open(with: text, address)
        }
        #expect(await server.stop() == 0)

        let lines = try server.logLines()
        #expect(
            lines.contains { $0.message == "connection closed" },
            "connections of strangers are logged at this level"
        )
        #expect(lines.last?.message == "stopped")
        let controls = CharacterSet.controlCharacters.union(CharacterSet(charactersIn: "\u{2028}\u{2029}"))
        for line in lines {
            #expect(line.message != "forged")
            #expect(line.members["logger"] as? String == "marvel-server")
            #expect(line.text.rangeOfCharacter(from: controls) == nil, "\(line.text.debugDescription)")
        }
    }

    /// The text in every place where a caller may put one.
    private func callWithHostileNames(_ text: String, _ address: ServerAddress) async {
        var options = RPCClientOptions()
        options.retries = nil
        options.software = text
        let client = RPCClient(addresses: [address], options: options)
        var metadata = Metadata()
        for key in ["x-request-id", "traceparent", "authorization", text] { metadata.append(key, text) }
        let service = "marvel.v1.MarvelService"
        let calls = [
            (MethodPath(service: service, method: "ListFavorites"), ByteBuffer()),
            (MethodPath(service: service, method: text), ByteBuffer()),
            (MethodPath(service: text, method: "ListFavorites"), ByteBuffer()),
            (MethodPath(service: service, method: "SearchCharacters"), ByteBuffer(string: text)),
            // Field 1 of each of these is a text: a query, a list, a service.
            (MethodPath(service: service, method: "SearchCharacters"), message(text)),
            (MethodPath(service: service, method: "ToggleFavorite"), message(text)),
            (MethodPath(service: "grpc.health.v1.Health", method: "Check"), message(text)),
        ]
        for (method, request) in calls {
            // Most are refused, and that is not what is looked at.
            _ = try? await client.unary(method, request, metadata: metadata)
        }
        await client.shutdown()
    }

    /// A message whose field 1 is a short text.
    private func message(_ text: String) -> ByteBuffer {
        var bytes = ByteBuffer(bytes: [0x0A, UInt8(text.utf8.count)])
        bytes.writeString(text)
        return bytes
    }

    /// Sends what no client of this protocol begins with, and waits for the answer or the end of the connection.
    private func open(with text: String, _ address: String) async throws {
        let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
        try await onThread {
            let connection = try RawConnection(port: port)
            try connection.send(Array(text.utf8))
            _ = try? connection.receive()
        }
    }
}
