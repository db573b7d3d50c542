import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore
import RPCServer
import WireClients

/// A client that sends any bytes, also those that HTTP/2 forbids, and sees the frames that arrive.
struct RawHTTP2Peer: TestPeer {
    /// A frame as it is sent (RFC 9113, section 4.1).
    struct Frame {
        var type: UInt8
        var flags: UInt8 = 0
        var stream: UInt32 = 0
        var payload = ByteBuffer()

        static let endStream: UInt8 = 0x1
        static let endHeaders: UInt8 = 0x4
        static let padded: UInt8 = 0x8
    }

    /// The content of a GOAWAY frame.
    struct GoAway: Equatable {
        var lastStream: UInt32
        var code: HTTP2ErrorCode
        var text: String
    }

    static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    private let socket: RawSocket
    private var received = ByteBuffer()
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())

    /// What it sends first; nil to send nothing at all.
    typealias Settings = [(UInt16, UInt32)]?

    static var usualSettings: Settings { [] }

    static func connected(
        to server: RPCServer,
        settings: Settings,
        _ body: (inout RawHTTP2Peer) async throws -> Void
    ) async throws {
        let socket = try await RawSocket.connect(to: server.addresses[0])
        try await running {
            var peer = RawHTTP2Peer(socket)
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

    // MARK: Sending

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
        try encoder.encode(headers: HTTP2Peer.head(method, changes), to: &block)
        return block
    }

    /// Makes the HEADERS frame of a call.
    mutating func head(
        _ method: String,
        on stream: UInt32,
        _ changes: [(String, String)] = [],
        isEnd: Bool = false
    ) throws -> Frame {
        try frame(of: HTTP2Peer.head(method, changes), on: stream, isEnd: isEnd)
    }

    /// Makes a HEADERS frame.
    mutating func frame(of headers: HPACKHeaders, on stream: UInt32, isEnd: Bool = true) throws -> Frame {
        var block = ByteBuffer()
        try encoder.encode(headers: headers, to: &block)
        let flags = Frame.endHeaders | (isEnd ? Frame.endStream : 0)
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
        [try head(method, on: stream, changes), .data(HTTP2Peer.prefixed(message), on: stream, isEnd: true)]
    }

    /// Makes frames for each of some streams, from the first on.
    mutating func onStreams(
        _ count: Int,
        _ frames: (_ stream: UInt32, _ peer: inout RawHTTP2Peer) throws -> [Frame]
    ) rethrows -> [Frame] {
        var all: [Frame] = []
        for index in 0..<count { all += try frames(UInt32(2 * index + 1), &self) }
        return all
    }

    // MARK: Receiving

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
}

extension RawHTTP2Peer.Frame {
    /// Reads a frame; nil if not all of it has arrived.
    init?(readFrom bytes: inout ByteBuffer) {
        var rest = bytes
        guard let word = rest.readInteger(as: UInt32.self), let flags = rest.readInteger(as: UInt8.self),
            let stream = rest.readInteger(as: UInt32.self), let payload = rest.readSlice(length: Int(word >> 8))
        else { return nil }
        bytes = rest
        self.init(type: UInt8(truncatingIfNeeded: word), flags: flags, stream: stream, payload: payload)
    }

    static func data(_ bytes: ByteBuffer, on stream: UInt32, isEnd: Bool = false) -> Self {
        Self(type: 0, flags: isEnd ? Self.endStream : 0, stream: stream, payload: bytes)
    }

    /// A DATA frame of nothing but padding.
    static func padding(_ byteCount: UInt8, on stream: UInt32) -> Self {
        var payload = ByteBuffer(integer: byteCount)
        payload.writeRepeatingByte(0, count: Int(byteCount))
        return Self(type: 0, flags: padded, stream: stream, payload: payload)
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

    static func continuation(_ block: ByteBuffer, on stream: UInt32, isEnd: Bool = false) -> Self {
        Self(type: 9, flags: isEnd ? endHeaders : 0, stream: stream, payload: block)
    }

    /// The bytes by which it opens a window.
    var increment: Int { payload.getInteger(at: payload.readerIndex, as: UInt32.self).map(Int.init) ?? 0 }

    /// Whether it is HEADERS or DATA behind which nothing follows on its stream.
    var isEndOfStream: Bool { (type == 0 || type == 1) && flags & Self.endStream != 0 }

    var goAway: RawHTTP2Peer.GoAway? {
        var payload = payload
        guard type == 7, let (last, code) = payload.readMultipleIntegers(as: (UInt32, UInt32).self) else { return nil }
        return .init(lastStream: last, code: HTTP2ErrorCode(networkCode: Int(code)), text: String(buffer: payload))
    }
}
