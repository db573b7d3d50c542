import Framing
import NIOCore
import RPCCore
import WireMessages

/// A client of the framed wire.
struct FramedCodec: WireCodec {
    /// The initial credit of its Hello, 0 for no limit; nil if it sends no Hello.
    let hello: UInt32?
    var replies = ByteBuffer()
    private var decoder = FrameDecoder()

    init(hello: UInt32?) { self.hello = hello }

    private static func id(_ number: Int) -> StreamID { StreamID(rawValue: UInt32(2 * number + 1)) }

    private static func frame(_ type: FrameType, on id: StreamID, _ data: ByteBuffer = ByteBuffer()) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeFrame(type, on: id, data: data)
        return bytes
    }

    var opening: ByteBuffer {
        guard let hello else { return ByteBuffer() }
        let message = HelloMessage(version: 1, software: "test", initialCredit: hello, maximumFrameLength: 0)
        return Self.frame(.hello, on: .connection, message.encoded())
    }

    func encode(_ call: Call, number: Int) -> ByteBuffer {
        var metadata = Metadata()
        for (key, value) in call.metadata { metadata.append(key, value) }
        let request = RequestEnvelope(
            service: call.path.service,
            method: call.path.method,
            payload: call.request,
            timeoutNanoseconds: call.timeout.map { $0.milliseconds * 1_000_000 } ?? 0,
            metadata: metadata
        )
        var bytes = ByteBuffer()
        let flags: FrameFlags = call.isStream ? .remoteClosed : []
        bytes.writeFrame(.request, on: Self.id(number), flags: flags, data: request.encoded())
        return bytes
    }

    func cancel(_ number: Int) -> ByteBuffer { Self.frame(.cancel, on: Self.id(number)) }

    func grant(_ count: Int, to number: Int) -> ByteBuffer {
        Self.frame(.credit, on: Self.id(number), ByteBuffer(integer: UInt32(count)))
    }

    mutating func decode(_ bytes: inout ByteBuffer, into parts: inout [AnswerPart]) throws {
        while case .frame(let frame)? = try decoder.next(from: &bytes) {
            let call = Int(frame.header.streamID.rawValue) / 2
            switch frame.header.type {
            case .response:
                let response = try ResponseEnvelope(decoding: frame.data, limit: .response)
                if response.status == nil { parts.append(.message(call: call, response.payload)) }
                parts.append(.end(call: call, response.status))
            case .data:
                if !frame.header.flags.contains(.noData) { parts.append(.message(call: call, frame.data)) }
                if frame.header.flags.contains(.remoteClosed) { parts.append(.end(call: call, nil)) }
            case .goAway: parts.append(.goAway(try GoAwayMessage(decoding: frame.data, limit: .response).reason))
            case .ping: replies.writeImmutableBuffer(Self.frame(.pong, on: .connection, frame.data))
            default: break
            }
        }
    }
}

extension Duration {
    var milliseconds: Int64 { components.attoseconds / 1_000_000_000_000_000 + components.seconds * 1_000 }
}
