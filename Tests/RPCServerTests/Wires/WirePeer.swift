import Foundation
import NIOCore
import RPCCore
import RPCServer
import Testing
import WireClients

/// A client of any wire. It sends the calls, or parts of them, that a test asks for, and reads when it is told to.
final class WirePeer {
    let socket: RawSocket
    private var codec: any WireCodec
    private var bytes = ByteBuffer()
    private var callCount = 0
    private var hasOpened = false
    /// The answers that have begun to arrive.
    private var answers: [Int: Answer] = [:]
    /// The numbers of messages that `message(of:)` has returned.
    private var takenCounts: [Int: Int] = [:]
    /// The reasons for which the server takes no more calls.
    private(set) var goAways: [String] = []
    /// Whether a part of a frame was sent. Answers to the server wait: it would read them as the rest of the frame.
    private var isInsideFrame = false

    private init(_ socket: RawSocket, _ codec: any WireCodec) { (self.socket, self.codec) = (socket, codec) }

    /// - Parameters:
    ///   - wire: The wire.
    ///   - server: The server.
    ///   - port: The number of the server's address that has this wire.
    ///   - chunk: The bytes of one read, for a client that reads only when it is told to; nil for one that reads everything.
    ///   - credit: The number of messages of 1,000 bytes that it takes of each stream; nil for no limit.
    ///   - closesWithServer: Whether it closes its side as soon as the server has closed its own.
    /// - Returns: A connected client that has sent nothing.
    /// - Throws: If nobody listens there.
    static func connect(
        _ wire: Wire,
        to server: RPCServer,
        port: Int = 0,
        readingOnly chunk: Int? = nil,
        credit: Int? = nil,
        closesWithServer: Bool = true
    ) async throws -> WirePeer {
        let socket = try await RawSocket.connect(
            to: server.addresses[port],
            readingOnly: chunk,
            closesWithServer: closesWithServer
        )
        return WirePeer(socket, wire.codec(credit: credit))
    }

    // MARK: Sending

    /// Encodes the next call, and before the first one the beginning of the connection.
    ///
    /// - Returns: The call's number, and the bytes.
    func encode(_ call: Call) throws -> (number: Int, bytes: ByteBuffer) {
        var bytes = hasOpened ? ByteBuffer() : codec.opening
        hasOpened = true
        bytes.writeImmutableBuffer(try codec.encode(call, number: callCount))
        callCount += 1
        return (callCount - 1, bytes)
    }

    /// Sends a call.
    ///
    /// - Returns: Its number.
    @discardableResult func send(_ call: Call) async throws -> Int {
        let (number, bytes) = try encode(call)
        try await socket.send(bytes)
        return number
    }

    /// Sends a call without its last bytes.
    ///
    /// - Returns: Its number, and the bytes.
    func begin(_ call: Call, without count: Int = 1) async throws -> (number: Int, rest: ByteBuffer) {
        var (number, bytes) = try encode(call)
        let beginning = bytes.readSlice(length: bytes.readableBytes - count) ?? ByteBuffer()
        isInsideFrame = true
        try await socket.send(beginning)
        return (number, bytes)
    }

    /// Sends the last bytes of a call.
    func complete(_ rest: ByteBuffer) async throws {
        try await socket.send(rest)
        isInsideFrame = false
    }

    func encodeCancel(_ number: Int) -> ByteBuffer { codec.cancel(number) }

    func cancel(_ number: Int) async throws { try await socket.send(codec.cancel(number)) }

    /// Permits some more messages of 1,000 bytes.
    func grant(_ count: Int, to number: Int) async throws { try await socket.send(codec.grant(count, to: number)) }

    // MARK: Receiving

    /// Makes a call, and waits for its end. A lost connection is an error of it.
    func call(_ call: Call) async throws -> Answer {
        var answer = try await answer(to: send(call))
        if !answer.isEnded { answer.error = Self.connectionLost }
        return answer
    }

    private static let connectionLost = RPCError(.unavailable, reason: .connectionLost, "the connection ended")

    /// Makes a call, and waits for its only message, or the first of a stream, or its error. A watch has no end.
    func first(
        _ path: MethodPath,
        isStream: Bool = false,
        _ request: ByteBuffer,
        _ metadata: [(String, String)] = []
    ) async throws -> Result<ByteBuffer?, RPCError> {
        var call = Call(path, request, isStream: isStream)
        call.metadata = metadata
        let (number, bytes) = try encode(call)
        socket.post(bytes)
        let message = try await message(of: number)
        if isStream, let message { return .success(message) }
        let answer = try await answer(to: number)
        guard answer.isEnded else { return .failure(Self.connectionLost) }
        #expect(isStream || answer.messages.count == (answer.error == nil ? 1 : 0))
        return answer.error.map { .failure($0) } ?? .success(message)
    }

    /// Waits for the end of an answer, or of the connection.
    func answer(to number: Int) async throws -> Answer {
        while answers[number]?.isEnded != true, try await receive() {}
        return answers[number] ?? Answer()
    }

    /// Waits for the next message of an answer; nil at its end.
    func message(of number: Int) async throws -> ByteBuffer? {
        let taken = takenCounts[number, default: 0]
        while answers[number, default: Answer()].messages.count <= taken {
            guard answers[number]?.isEnded != true, try await receive() else { return nil }
        }
        takenCounts[number] = taken + 1
        return answers[number]?.messages[taken]
    }

    /// The number of messages of an answer that have arrived.
    func receivedCount(of number: Int) -> Int { answers[number]?.messages.count ?? 0 }

    /// Waits until the server has closed its side.
    func untilClosed() async throws { while try await receive() {} }

    func untilGoAway() async throws { while goAways.isEmpty, try await receive() {} }

    /// Waits for bytes; false if there are no more.
    private func receive() async throws -> Bool {
        guard let more = await socket.next() else { return false }
        bytes.discardReadBytes()
        bytes.writeImmutableBuffer(more)
        var parts: [AnswerPart] = []
        try codec.decode(&bytes, into: &parts)
        for part in parts { take(part) }
        guard !isInsideFrame else { return true }
        if codec.replies.readableBytes > 0 { socket.post(codec.replies) }
        codec.replies.clear()
        return true
    }

    private func take(_ part: AnswerPart) {
        switch part {
        case .message(let call, let message): answers[call, default: Answer()].messages.append(message)
        case .end(let call, let error):
            answers[call, default: Answer()].error = error
            answers[call]?.isEnded = true
        case .goAway(let reason): goAways.append(reason)
        }
    }
}

extension Result where Failure == RPCError {
    var error: RPCError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension Wire {
    /// A kind of socket.
    enum Socket: CaseIterable {
        case tcp, unix
    }

    /// Starts a server of this wire, and stops it when `body` has ended. Nothing of its connections may be left then.
    func serve(
        over socket: Socket = .tcp,
        callers: Callers = .byAddress,
        log: RecordedCalls? = nil,
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (RPCServer, TestMethods) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "wire-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let methods = TestMethods()
        let configuration = ServerConfiguration.with {
            // Of clients that a test leaves connected.
            $0.drainQuietTime = .milliseconds(20)
            configure(&$0)
        }
        try await TestServer.run(
            methods,
            configuration,
            wires: [serverWire(methods)],
            at: socket == .tcp ? .tcp(host: "127.0.0.1", port: 0) : .unix(path: path),
            callers: callers,
            accessLog: log
        ) { server in try await body(server, methods) }
    }

    /// The same, with a client.
    func run(
        over socket: Socket = .tcp,
        callers: Callers = .byAddress,
        log: RecordedCalls? = nil,
        readingOnly chunk: Int? = nil,
        credit: Int? = nil,
        closesWithServer: Bool = true,
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (RPCServer, TestMethods, WirePeer) async throws -> Void
    ) async throws {
        try await serve(over: socket, callers: callers, log: log, configure) { server, methods in
            let peer = try await WirePeer.connect(
                self,
                to: server,
                readingOnly: chunk,
                credit: credit,
                closesWithServer: closesWithServer
            )
            try await running {
                try await body(server, methods, peer)
            } finally: {
                try? await peer.socket.close()
            }
        }
    }

    /// Calls the server once on a connection of its own.
    func isServed(by server: RPCServer, port: Int = 0) async throws -> Bool {
        let peer = try await WirePeer.connect(self, to: server, port: port)
        let answer = try await peer.call(Call("Echo", ByteBuffer(string: "x")))
        try await peer.socket.close()
        return answer.isMessage("x")
    }
}
