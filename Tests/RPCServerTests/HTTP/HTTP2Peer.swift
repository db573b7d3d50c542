import HTTPFraming
import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore
import RPCServer
import WireClients

/// A client of HTTP/2. It sends any bytes, also those that HTTP/2 forbids, and shows the frames that arrive. It follows the rules
/// of clients while it waits for the answers of its calls.
struct HTTP2Peer: TestPeer {
    /// A frame as it is sent (RFC 9113, section 4.1).
    struct Frame {
        var type: UInt8
        var flags: UInt8 = 0
        var stream: UInt32 = 0
        var payload = ByteBuffer()

        static let endStream: UInt8 = 0x1
        static let endHeaders: UInt8 = 0x4
    }

    /// The content of a GOAWAY frame.
    struct GoAway: Equatable {
        var lastStream: UInt32
        var code: HTTP2ErrorCode
        var text: String
    }

    /// A frame of an answer.
    enum Part {
        case headers(HPACKHeaders, endStream: Bool)
        case data(ByteBuffer, endStream: Bool)
        case reset(HTTP2ErrorCode)
    }

    /// The answer to a call.
    struct Answer {
        var head: HPACKHeaders?
        var trailers: HPACKHeaders?
        var data = ByteBuffer()
        var reset: HTTP2ErrorCode?

        /// The messages, without their prefixes.
        var messages: [ByteBuffer] {
            var reader = EnvelopeReader(maximumByteCount: 1 << 20, acceptsCompressed: false)
            reader.append(data)
            var messages: [ByteBuffer] = []
            while let message = try? reader.next() { messages.append(message.bytes) }
            return messages
        }

        /// The status of the call; nil if there is none.
        var status: StatusCode? {
            let text = (trailers ?? head)?.first(name: "grpc-status")
            return text.flatMap(Int32.init).flatMap(StatusCode.init)
        }

    }

    static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    private let socket: RawSocket
    private var received = ByteBuffer()
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var rules = HTTP2ClientRules()
    private var nextID: UInt32 = 1
    /// Whether it gives back what it receives, so that the connection's window stays as it is.
    var givesBackWindows = true
    /// The parts of answers that arrived while others were waited for.
    private var kept: [UInt32: [Part]] = [:]
    private(set) var goAways: [GoAway] = []

    /// The settings that it sends first; nil to send nothing at all.
    typealias Settings = [(UInt16, UInt32)]?

    static let usualSettings: Settings = .window(1 << 24)

    static func connected(
        to server: RPCServer,
        settings: Settings,
        _ body: (inout HTTP2Peer) async throws -> Void
    ) async throws {
        let socket = try await RawSocket.connect(to: server.addresses[0])
        try await running {
            var peer = HTTP2Peer(socket)
            if let settings {
                await peer.send(ByteBuffer(string: preface))
                await peer.send([.settings(settings)])
            }
            try await body(&peer)
        } finally: {
            try? await socket.close()
        }
    }

    private init(_ socket: RawSocket) { self.socket = socket }

    // MARK: Frames

    /// Sends bytes. The server may have closed the connection meanwhile.
    func send(_ bytes: ByteBuffer) async { try? await socket.send(bytes) }

    /// Sends frames with one write.
    func send(_ frames: [Frame]) async { await send(Self.bytes(frames)) }

    static func bytes(_ frames: [Frame]) -> ByteBuffer {
        var bytes = ByteBuffer()
        for frame in frames {
            bytes.writeInteger(UInt32(frame.payload.readableBytes) << 8 | UInt32(frame.type))
            bytes.writeInteger(frame.flags)
            bytes.writeInteger(frame.stream)
            bytes.writeImmutableBuffer(frame.payload)
        }
        return bytes
    }

    /// Encodes the headers of a call.
    mutating func headers(_ method: String, _ changes: [(String, String)] = []) throws -> ByteBuffer {
        var block = ByteBuffer()
        try encoder.encode(headers: Self.head(method, changes), to: &block)
        return block
    }

    /// Makes the HEADERS frame of a call.
    mutating func head(
        _ method: String,
        on stream: UInt32,
        _ changes: [(String, String)] = [],
        endStream: Bool = false
    ) throws -> Frame {
        try frame(of: Self.head(method, changes), on: stream, endStream: endStream)
    }

    /// Makes a HEADERS frame.
    mutating func frame(of headers: HPACKHeaders, on stream: UInt32, endStream: Bool = true) throws -> Frame {
        var block = ByteBuffer()
        try encoder.encode(headers: headers, to: &block)
        let flags = Frame.endHeaders | (endStream ? Frame.endStream : 0)
        return Frame(type: 1, flags: flags, stream: stream, payload: block)
    }

    /// Makes the HEADERS frame that ends a request.
    mutating func trailers(on stream: UInt32) throws -> Frame { try frame(of: ["x-checksum": "7"], on: stream) }

    /// Makes the frames of a call with one message.
    mutating func call(
        _ method: String,
        _ message: [UInt8] = [],
        on stream: UInt32,
        _ changes: [(String, String)] = []
    ) throws -> [Frame] {
        [try head(method, on: stream, changes), .data(Self.prefixed(message), on: stream, endStream: true)]
    }

    /// Makes frames for each of some streams, from the first on.
    mutating func onStreams(
        _ count: Int,
        _ frames: (_ stream: UInt32, _ peer: inout HTTP2Peer) throws -> [Frame]
    ) rethrows -> [Frame] {
        var all: [Frame] = []
        for index in 0..<count { all += try frames(UInt32(2 * index + 1), &self) }
        return all
    }

    /// Returns the next frame; nil if the server has closed the connection.
    mutating func nextFrame() async -> Frame? {
        while true {
            if let frame = Frame(readFrom: &received) { return frame }
            guard let bytes = await socket.next() else { return nil }
            received.discardReadBytes()
            received.writeImmutableBuffer(bytes)
        }
    }

    /// Waits for the next frame that is wanted; nil if the server has closed the connection.
    mutating func nextFrame(where isWanted: (Frame) -> Bool) async -> Frame? {
        while let frame = await nextFrame() {
            if isWanted(frame) { return frame }
        }
        return nil
    }

    /// Decodes the headers of a frame. Those of all frames have to be, in their order.
    mutating func decoded(_ frame: Frame) throws -> HPACKHeaders {
        var block = frame.payload
        return try decoder.decodeHeaders(from: &block)
    }

    /// Waits until the server closes the connection.
    ///
    /// - Returns: The last GOAWAY before that.
    mutating func end() async -> GoAway? {
        var last: GoAway?
        while let frame = await nextFrame() { last = frame.goAway ?? last }
        return last
    }

    // MARK: Calls

    static func head(_ method: String, _ changes: [(String, String)] = []) -> HPACKHeaders {
        var fields = [
            (":method", "POST"), (":scheme", "http"), (":path", "/test.v1.Test/\(method)"),
            (":authority", "localhost"), ("te", "trailers"), ("content-type", "application/grpc"),
        ]
        let usual = fields.indices
        for change in changes {
            if let index = usual.first(where: { fields[$0].0 == change.0 }) {
                fields[index] = change
            } else {
                fields.append(change)
            }
        }
        return HPACKHeaders(fields)
    }

    static func prefixed(_ message: [UInt8], flag: UInt8 = 0) -> ByteBuffer {
        Envelopes.prefixed(ByteBuffer(bytes: message), flags: flag)
    }

    /// Makes a request of the method `Count`.
    static func count(_ count: UInt16, size: UInt32) -> [UInt8] {
        var bytes = ByteBuffer()
        bytes.writeMultipleIntegers(count, size)
        return Array(bytes.readableBytesView)
    }

    /// Begins a stream.
    mutating func begin(_ head: HPACKHeaders, endStream: Bool = false) async throws -> UInt32 {
        defer { nextID += 2 }
        await send([try frame(of: head, on: nextID, endStream: endStream)])
        return nextID
    }

    /// Sends data of a stream in frames of a size, as far as the windows allow. The rest follows when they do.
    mutating func send(
        _ data: ByteBuffer,
        on id: UInt32,
        endStream: Bool = true,
        inFramesOf byteCount: Int = 16_384
    ) async {
        await send(rules.frames(of: data, on: id, endStream: endStream, inFramesOf: byteCount))
    }

    /// Ends a request with trailers.
    mutating func sendTrailers(on id: UInt32) async throws { await send([try trailers(on: id)]) }

    /// Begins a call and sends its only message.
    mutating func start(
        _ method: String,
        _ message: [UInt8] = [],
        _ changes: [(String, String)] = []
    ) async throws -> UInt32 {
        defer { nextID += 2 }
        let head = try head(method, on: nextID, changes)
        // Together: the head alone may be answered, and the stream closed.
        await send([head] + rules.frames(of: Self.prefixed(message), on: nextID))
        return nextID
    }

    mutating func call(
        _ method: String,
        _ message: [UInt8] = [],
        _ changes: [(String, String)] = []
    ) async throws -> Answer {
        try await answer(on: start(method, message, changes))
    }

    /// Returns the next frame of a stream; nil if the connection has ended.
    mutating func nextFrame(on id: UInt32) async throws -> Part? {
        while kept[id]?.first == nil {
            guard try await receive() else { return nil }
        }
        return kept[id]?.removeFirst()
    }

    /// Receives a frame and keeps it; false if the connection has ended.
    private mutating func receive() async throws -> Bool {
        guard let frame = await nextFrame() else { return false }
        var replies = rules.replies(to: frame)
        switch frame.type {
        case 0:
            let byteCount = UInt32(frame.payload.readableBytes)
            if givesBackWindows, byteCount > 0 { replies.append(.windowUpdate(byteCount)) }
            kept[frame.stream, default: []].append(.data(frame.payload, endStream: frame.isEndOfStream))
        case 1:
            let headers = try decoded(frame)
            kept[frame.stream, default: []].append(.headers(headers, endStream: frame.isEndOfStream))
        case 3: kept[frame.stream, default: []].append(.reset(HTTP2ErrorCode(networkCode: frame.increment)))
        case 7: if let goAway = frame.goAway { goAways.append(goAway) }
        default: break
        }
        if !replies.isEmpty { await send(replies) }
        return true
    }

    /// Waits for the end of a call.
    mutating func answer(on id: UInt32, to answer: Answer = Answer()) async throws -> Answer {
        var answer = answer
        while let frame = try await nextFrame(on: id) {
            if answer.take(frame) { return answer }
        }
        return answer
    }

    /// Waits until the server closes the connection.
    mutating func untilClosed() async throws {
        while try await receive() {}
    }

    /// Receives bytes of a stream's answer, up to a number of them.
    mutating func receive(_ byteCount: Int, on id: UInt32, to answer: Answer = Answer()) async throws -> Answer {
        var answer = answer
        while answer.data.readableBytes < byteCount, let frame = try await nextFrame(on: id) {
            if answer.take(frame) { break }
        }
        return answer
    }

    /// Waits for the GOAWAY that ends a drain.
    mutating func finalGoAway() async throws -> HTTP2Peer.GoAway? {
        while goAways.last.map({ $0.lastStream == UInt32(Int32.max) }) ?? true, try await receive() {}
        return goAways.last
    }
}

extension HTTP2Peer.Frame {
    /// Reads a frame; nil if not all of it has arrived.
    init?(readFrom bytes: inout ByteBuffer) {
        var rest = bytes
        guard let word = rest.readInteger(as: UInt32.self), let flags = rest.readInteger(as: UInt8.self),
            let stream = rest.readInteger(as: UInt32.self), let payload = rest.readSlice(length: Int(word >> 8))
        else { return nil }
        bytes = rest
        self.init(type: UInt8(truncatingIfNeeded: word), flags: flags, stream: stream, payload: payload)
    }

    static func data(_ bytes: ByteBuffer, on stream: UInt32, endStream: Bool = false) -> Self {
        Self(type: 0, flags: endStream ? Self.endStream : 0, stream: stream, payload: bytes)
    }

    static func priority(of stream: UInt32) -> Self {
        Self(type: 2, stream: stream, payload: ByteBuffer(bytes: [0, 0, 0, 0, 16]))
    }

    static func reset(_ stream: UInt32) -> Self {
        Self(type: 3, stream: stream, payload: ByteBuffer(integer: 8 as UInt32))
    }

    static func settings(_ settings: [(UInt16, UInt32)]) -> Self {
        var payload = ByteBuffer()
        for (name, value) in settings { payload.writeMultipleIntegers(name, value) }
        return Self(type: 4, payload: payload)
    }

    static let settingsAnswer = Self(type: 4, flags: 0x1)
    static let ping = Self(type: 6, payload: ByteBuffer(integer: 1 as UInt64))
    static let pingAnswer = Self(type: 6, flags: 0x1, payload: ByteBuffer(integer: 1 as UInt64))
    static let unknown = Self(type: 0x77, payload: ByteBuffer(bytes: [1, 2, 3]))

    static func windowUpdate(_ increment: UInt32, on stream: UInt32 = 0) -> Self {
        Self(type: 8, stream: stream, payload: ByteBuffer(integer: increment))
    }

    static func continuation(_ block: ByteBuffer, on stream: UInt32, endStream: Bool = false) -> Self {
        Self(type: 9, flags: endStream ? endHeaders : 0, stream: stream, payload: block)
    }

    /// The bytes by which it opens a window.
    var increment: Int { payload.getInteger(at: payload.readerIndex, as: UInt32.self).map(Int.init) ?? 0 }

    /// Whether it is HEADERS or DATA behind which nothing follows on its stream.
    var isEndOfStream: Bool { (type == 0 || type == 1) && flags & Self.endStream != 0 }

    var goAway: HTTP2Peer.GoAway? {
        var payload = payload
        guard type == 7, let (last, code) = payload.readMultipleIntegers(as: (UInt32, UInt32).self) else { return nil }
        return .init(lastStream: last, code: HTTP2ErrorCode(networkCode: Int(code)), text: String(buffer: payload))
    }
}

extension HTTP2Peer.Answer {
    /// Takes a frame.
    ///
    /// - Returns: Whether it was the last.
    mutating func take(_ part: HTTP2Peer.Part) -> Bool {
        switch part {
        case .headers(let headers, let endStream):
            if head == nil { head = headers } else { trailers = headers }
            return endStream
        case .data(let data, let endStream):
            self.data.writeImmutableBuffer(data)
            return endStream
        case .reset(let code):
            reset = code
            return true
        }
    }
}

extension [(UInt16, UInt32)] {
    /// The settings of a client with windows of a size for each stream.
    static func window(_ byteCount: Int) -> Self { [(4, UInt32(byteCount))] }
}
