package import NIOCore
package import RPCCore

extension MessageWriter {
    package mutating func write(_ header: FrameHeader) {
        let memory = take(FrameHeader.byteCount)
        memory.storeBytes(of: header.length.bigEndian, as: UInt32.self)
        memory.storeBytes(of: header.streamID.rawValue.bigEndian, toByteOffset: 4, as: UInt32.self)
        memory.storeBytes(of: header.type.rawValue, toByteOffset: 8, as: UInt8.self)
        memory.storeBytes(of: header.flags.rawValue, toByteOffset: 9, as: UInt8.self)
    }
}

extension ByteBuffer {
    package mutating func writeFrameHeader(_ header: FrameHeader) {
        writeMultipleIntegers(header.length, header.streamID.rawValue, header.type.rawValue, header.flags.rawValue)
    }

    /// The data has at most the peer's frame limit; the caller checks that.
    package mutating func writeFrame(
        _ type: FrameType,
        on id: StreamID,
        flags: FrameFlags = [],
        data: ByteBuffer = ByteBuffer()
    ) {
        writeFrameHeader(
            FrameHeader(length: UInt32(data.readableBytes), streamID: id, type: type, flags: flags)
        )
        writeImmutableBuffer(data)
    }

    /// Grants the server `count` more messages on a call (our extension, type 0x15).
    package mutating func writeCreditFrame(_ count: UInt32, on id: StreamID) {
        writeFrameHeader(FrameHeader(length: Frame.creditByteCount, streamID: id, type: .credit, flags: []))
        writeInteger(count)
    }
}
