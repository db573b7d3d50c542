import NIOCore
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// A client of HTTP/1.1 that sends the bytes that a test asks for, and reads answers.
struct HTTP1Peer: TestPeer {
    private let socket: RawSocket
    /// The bytes that have arrived and were not read.
    private var bytes = ByteBuffer()

    /// The bytes of one read, for a client that reads only once it is told to; nil for one that reads everything.
    typealias Settings = Int?

    static var usualSettings: Settings { nil }

    static func connected(
        to server: RPCServer,
        settings: Settings,
        _ body: (inout HTTP1Peer) async throws -> Void
    ) async throws {
        let socket = try await RawSocket.connect(
            to: server.addresses[0],
            readingOnly: settings,
            closesWithServer: false
        )
        try await running {
            var peer = HTTP1Peer(socket: socket)
            try await body(&peer)
        } finally: {
            try? await socket.close()
        }
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Sends bytes, and returns when the kernel has them. An event of the server that follows finds them in its socket.
    func send(_ bytes: [UInt8]) async throws { try await socket.send(ByteBuffer(bytes: bytes)) }

    /// Ends this side.
    func finish() async throws { try await socket.closeOutput() }

    func startReading() async throws { try await socket.startReading() }

    /// Sends a request.
    func post(_ method: String, _ body: [UInt8] = [], _ headers: [(String, String)] = []) async throws {
        var head = "POST /test.v1.Test/\(method) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n"
        if !headers.contains(where: { $0.0 == "Content-Type" }) { head += "Content-Type: application/proto\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        try await send(Array("\(head)\r\n".utf8) + body)
    }

    /// Sends a request and reads the answer.
    mutating func call(
        _ method: String,
        _ body: [UInt8] = [],
        _ headers: [(String, String)] = []
    ) async throws -> HTTPAnswer? {
        try await post(method, body, headers)
        return try await answer()
    }

    /// Reads an answer; nil if the connection has ended. One of HTTP/1.0 without a length ends with the connection.
    mutating func answer(hasBody: Bool = true) async throws -> HTTPAnswer? {
        guard let head = await text(until: "\r\n\r\n") else { return nil }
        var lines = head.split(separator: "\r\n")
        var answer = HTTPAnswer()
        answer.status = try #require(Int(lines.removeFirst().split(separator: " ")[1]))
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            answer.headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        guard hasBody else { return answer }
        if let length = answer.headers["content-length"].flatMap(Int.init) {
            answer.body = await read(length)
        } else if answer.headers["transfer-encoding"] == "chunked" {
            while let chunk = try await chunk(), !chunk.isEmpty { answer.body += chunk }
        } else if head.hasPrefix("HTTP/1.0 200") {
            answer.body = await read(.max)
        }
        return answer
    }

    /// Reads a chunk; empty after the last one.
    mutating func chunk() async throws -> [UInt8]? {
        guard let size = await text(until: "\r\n") else { return nil }
        let chunk = await read(try #require(Int(size, radix: 16)))
        _ = await read(2)
        return chunk
    }

    /// Waits until the server has closed its side.
    ///
    /// - Returns: Whether nothing arrived before.
    mutating func isClosed() async -> Bool { bytes.readableBytes == 0 ? await !receive() : false }

    private mutating func text(until end: String) async -> String? {
        while true {
            if let text = bytes.readLine(endingWith: end) { return text }
            guard await receive() else { return nil }
        }
    }

    private mutating func read(_ count: Int) async -> [UInt8] {
        while bytes.readableBytes < count { guard await receive() else { break } }
        return bytes.readBytes(length: min(count, bytes.readableBytes)) ?? []
    }

    private mutating func receive() async -> Bool {
        guard let more = await socket.next() else { return false }
        bytes.writeImmutableBuffer(more)
        return true
    }
}
