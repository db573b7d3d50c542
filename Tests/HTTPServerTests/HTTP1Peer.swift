import NIOCore
import NIOPosix
import RPCCore

@testable import RPCServer

/// A client of HTTP/1.1 that sends the bytes that a test asks for, and reads answers.
struct HTTP1Peer: TestPeer {
    private let channel: any Channel
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    /// The bytes that have arrived and were not read.
    private var bytes = ByteBuffer()

    /// An answer.
    struct Answer {
        var status = 0
        /// The headers, with names in lower case.
        var headers: [String: String] = [:]
        var body: [UInt8] = []

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    static let usualSettings: Void = ()

    static func connected(
        to server: RPCServer,
        settings: Void,
        _ body: (inout HTTP1Peer) async throws -> Void
    ) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(to: try server.addresses[0].socketAddress()) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)
                    )
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            var peer = HTTP1Peer(channel: channel.channel, outbound: outbound, inbound: inbound.makeAsyncIterator())
            try await body(&peer)
        }
    }

    private init(
        channel: any Channel,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    ) {
        self.channel = channel
        self.outbound = outbound
        self.inbound = inbound
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Sends bytes, and returns when the kernel has them. An event of the server that follows finds them in its socket.
    func sendToSocket(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

    /// Ends this side.
    func finish() { outbound.finish() }

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
    ) async throws -> Answer? {
        try await post(method, body, headers)
        return try await answer()
    }

    /// Reads an answer; nil if the connection has ended. One of HTTP/1.0 without a length ends with the connection.
    mutating func answer(hasBody: Bool = true) async throws -> Answer? {
        guard let head = try await text(until: "\r\n\r\n") else { return nil }
        var lines = head.split(separator: "\r\n")
        var answer = Answer()
        answer.status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            answer.headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        guard hasBody else { return answer }
        if let length = answer.headers["content-length"].flatMap(Int.init) {
            answer.body = try await read(length)
        } else if answer.headers["transfer-encoding"] == "chunked" {
            while let chunk = try await chunk(), !chunk.isEmpty { answer.body += chunk }
        } else if head.hasPrefix("HTTP/1.0 200") {
            answer.body = try await read(.max)
        }
        return answer
    }

    /// Reads a chunk; empty after the last one.
    mutating func chunk() async throws -> [UInt8]? {
        guard let size = try await text(until: "\r\n"), let count = Int(size, radix: 16) else { return nil }
        let chunk = try await read(count)
        _ = try await read(2)
        return chunk
    }

    /// Waits until the server has closed its side.
    ///
    /// - Returns: Whether nothing arrived before.
    mutating func isClosed() async throws -> Bool {
        do {
            return bytes.readableBytes == 0 ? try await inbound.next(isolation: #isolation) == nil : false
        } catch {
            return true
        }
    }

    private mutating func text(until end: String) async throws -> String? {
        while true {
            let view = bytes.readableBytesView
            if let range = view.firstRange(of: Array(end.utf8)) {
                let text = bytes.readString(length: range.lowerBound - view.startIndex) ?? ""
                bytes.moveReaderIndex(forwardBy: end.utf8.count)
                return text
            }
            guard try await receive() else { return nil }
        }
    }

    private mutating func read(_ count: Int) async throws -> [UInt8] {
        while bytes.readableBytes < count { guard try await receive() else { break } }
        return bytes.readBytes(length: min(count, bytes.readableBytes)) ?? []
    }

    private mutating func receive() async throws -> Bool {
        guard var more = try await inbound.next(isolation: #isolation) else { return false }
        bytes.writeBuffer(&more)
        return true
    }
}
