import NIOCore

/// The rules that every client of HTTP/2 follows: it acknowledges settings, answers pings, and sends what the server's windows
/// have room for.
struct HTTP2ClientRules {
    typealias Frame = HTTP2Peer.Frame

    /// A body, or the rest of one that waits for room.
    private struct Body {
        let stream: UInt32
        var bytes: ByteBuffer
        let endStream: Bool
        let frameByteCount: Int
        var isSent = false
    }

    /// The bytes for which there is room on all streams together.
    private var room = 65_535
    private var roomOfStreams: [UInt32: Int] = [:]
    private var bodies: [Body] = []

    /// Returns the frames of a body that may be sent now.
    mutating func frames(
        of body: ByteBuffer,
        on stream: UInt32,
        endStream: Bool = true,
        inFramesOf byteCount: Int = 16_384
    ) -> [Frame] {
        bodies.append(Body(stream: stream, bytes: body, endStream: endStream, frameByteCount: byteCount))
        return takeFrames()
    }

    /// Returns the frames that a frame of the server asks for, or makes room for.
    mutating func replies(to frame: Frame) -> [Frame] {
        switch frame.type {
        case 3: bodies.removeAll { $0.stream == frame.stream }
        case 4 where frame.flags & 1 == 0: return [.settingsAnswer]
        case 6 where frame.flags & 1 == 0: return [Frame(type: 6, flags: 1, payload: frame.payload)]
        case 8:
            if frame.stream == 0 {
                room += frame.increment
            } else {
                roomOfStreams[frame.stream, default: 65_535] += frame.increment
            }
            return takeFrames()
        default: break
        }
        return []
    }

    private mutating func takeFrames() -> [Frame] {
        var frames: [Frame] = []
        for index in bodies.indices {
            var body = bodies[index]
            repeat {
                let roomOfStream = roomOfStreams[body.stream, default: 65_535]
                let length = min(room, roomOfStream, body.frameByteCount, body.bytes.readableBytes)
                guard length > 0 || body.bytes.readableBytes == 0, let part = body.bytes.readSlice(length: length)
                else { break }
                room -= length
                roomOfStreams[body.stream] = roomOfStream - length
                body.isSent = body.bytes.readableBytes == 0
                frames.append(.data(part, on: body.stream, endStream: body.endStream && body.isSent))
            } while !body.isSent
            bodies[index] = body
        }
        bodies.removeAll(where: \.isSent)
        return frames
    }
}
