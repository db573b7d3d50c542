import NIOCore
import NIOHPACK
import RPCCore

/// A frame as bytes, right or wrong.
struct Frame: Equatable, CustomStringConvertible {
    var type: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    static let endStream: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let priority: UInt8 = 0x20

    static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    /// :method POST, :scheme http, :path / of the static table.
    static let block: [UInt8] = [0x83, 0x86, 0x84]

    /// A header that is added to the table, and counts for 4,033 bytes.
    static let entryOf4000Bytes: [UInt8] = [0x40, 1, 0x61, 0x7F, 0xA1, 0x1E] + [UInt8](repeating: 0x61, count: 4_000)

    static func headers(_ stream: UInt32, end: Bool = false, _ block: [UInt8] = Frame.block) -> Frame {
        Frame(type: 1, flags: endHeaders | (end ? endStream : 0), stream: stream, payload: block)
    }

    static func data(_ stream: UInt32, _ payload: [UInt8] = [7], end: Bool = false) -> Frame {
        Frame(type: 0, flags: end ? endStream : 0, stream: stream, payload: payload)
    }

    static func data(_ stream: UInt32, count: Int, end: Bool = false) -> Frame {
        .data(stream, [UInt8](repeating: 7, count: count), end: end)
    }

    static func reset(_ stream: UInt32, _ code: UInt32 = 8) -> Frame {
        Frame(type: 3, stream: stream, payload: code.bytes)
    }

    static func settings(_ settings: [(UInt16, UInt32)] = []) -> Frame {
        Frame(type: 4, payload: settings.flatMap { $0.bytes + $1.bytes })
    }

    static let settingsAnswer = Frame(type: 4, flags: 1)
    static let ping = Frame(type: 6, payload: [1, 2, 3, 4, 5, 6, 7, 8])

    static func windowUpdate(_ increment: UInt32, _ stream: UInt32 = 0) -> Frame {
        Frame(type: 8, stream: stream, payload: increment.bytes)
    }

    static func continuation(_ stream: UInt32, _ block: [UInt8] = [], end: Bool = true) -> Frame {
        Frame(type: 9, flags: end ? endHeaders : 0, stream: stream, payload: block)
    }

    var bytes: [UInt8] {
        (UInt32(payload.count) << 8 | UInt32(type)).bytes + [flags] + stream.bytes + payload
    }

    var description: String { "type \(type) flags \(flags) stream \(stream) \(payload.count) bytes" }

    /// Cuts bytes into frames. Nil if they end inside one.
    static func frames(of bytes: ByteBuffer) -> [Frame]? {
        var (rest, frames) = (bytes, [Frame]())
        while rest.readableBytes > 0 {
            guard let (word, flags, stream) = rest.readMultipleIntegers(as: (UInt32, UInt8, UInt32).self),
                let payload = rest.readBytes(length: Int(word >> 8))
            else { return nil }
            frames.append(Frame(type: UInt8(truncatingIfNeeded: word), flags: flags, stream: stream, payload: payload))
        }
        return frames
    }
}

extension FixedWidthInteger {
    /// The bytes in network order.
    var bytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}
