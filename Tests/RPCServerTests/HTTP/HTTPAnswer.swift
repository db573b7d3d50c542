import HTTPFraming
import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import RPCServer

/// A request that both versions of HTTP carry, and its answer.
struct HTTPAnswer {
    var status = 0
    /// The headers, with names in lower case.
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Sends a request over HTTP/1.1 and over HTTP/2, and a call behind each, which has to succeed.
    ///
    /// - Parameters:
    ///   - verb: The method of HTTP.
    ///   - path: The path.
    ///   - headers: The headers besides the host.
    ///   - body: The body.
    ///   - rules: The rules of the server.
    ///   - check: The test of one of the answers.
    /// - Throws: The errors of `check` and of the connections.
    static func ofBothVersions(
        _ verb: String,
        _ path: String,
        _ headers: [(String, String)] = [],
        _ body: [UInt8] = [],
        rules: HTTPRules = HTTPRules(),
        _ check: (HTTPAnswer) throws -> Void
    ) async throws {
        try await TestServer.run(wires: [.http(rules)]) { server in
            try await HTTP1Peer.connected(to: server) { peer in
                var head = "\(verb) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n"
                for (name, value) in headers { head += "\(name): \(value)\r\n" }
                try await peer.send(Array("\(head)\r\n".utf8) + body)
                let hasNoBody = verb == "HEAD" || verb == "OPTIONS" || headers.contains { $0.0 == "if-none-match" }
                let answer = try #require(try await peer.answer(hasBody: !hasNoBody))
                try check(answer)
                if hasNoBody, answer.status == 200, verb == "GET" { return }
                let next = try #require(try await peer.call("Echo", [7]))
                #expect((next.status, next.body) == (200, [7]), "the connection continues")
            }
            try await HTTP2Peer.connected(to: server) { peer in
                var head: HPACKHeaders = [
                    ":method": verb, ":scheme": "http", ":path": path, ":authority": "localhost",
                ]
                for (name, value) in headers { head.add(name: name, value: value) }
                let id = try await peer.begin(head, endStream: body.isEmpty)
                if !body.isEmpty { await peer.send(ByteBuffer(bytes: body), on: id) }
                let answer = try await peer.answer(on: id)
                let fields = try #require(answer.head).map { ($0.name, $0.value) }
                try check(
                    HTTPAnswer(
                        status: answer.head?.first(name: ":status").flatMap(Int.init) ?? 0,
                        headers: Dictionary(fields, uniquingKeysWith: { "\($0),\($1)" }),
                        body: Array(answer.data.readableBytesView)
                    )
                )
                #expect(try await peer.call("Echo", [7]).status == .ok, "the connection continues")
            }
        }
    }
}
