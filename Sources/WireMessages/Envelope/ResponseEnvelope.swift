internal import CMarvelMessages
package import NIOCore
package import RPCCore

/// `ttrpc.Response`: the result of a unary call, or the error that ended a stream.
package struct ResponseEnvelope: Sendable, Hashable {
    /// Nil for no status, or one with code OK.
    package var status: RPCError?
    package var payload: ByteBuffer

    package init(status: RPCError? = nil, payload: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.payload = payload
    }
}

extension ResponseEnvelope: ProtobufMessage {
    package static let fullName = "marvel.rpc.v1.Response"

    static var initialize: CInitializer<Marvel__Rpc__V1__Response> { marvel__rpc__v1__response__init }

    init(copying message: Marvel__Rpc__V1__Response) throws(WireError) {
        let status = try RPCError(copying: message.status, field: "status")
        self.init(status: status?.code == .ok ? nil : status, payload: message.payload.buffer)
    }

    func fill(_ message: inout Marvel__Rpc__V1__Response, in arena: inout EncodingArena) {
        message.status = status.map { arena.message($0) }
        message.payload = arena.buffer(payload)
    }
}

/// The header and the message, written in place, are the envelope's encoding.
extension ResponseEnvelope {
    /// Field 2, length-delimited.
    private static let payloadTag: UInt8 = 2 << 3 | 2

    /// An empty payload has 0: protobuf omits empty fields.
    package static func headerByteCount(payloadByteCount: Int) -> Int {
        payloadByteCount == 0 ? 0 : 1 + Varint.byteCount(UInt64(payloadByteCount))
    }

    package static func writeHeader(payloadByteCount: Int, to writer: inout MessageWriter) {
        guard payloadByteCount > 0 else { return }
        writer.write(tag: payloadTag, byteCount: payloadByteCount)
    }

    /// Nil unless the envelope has only a payload in the shortest form, as successful calls have.
    package static func payload(ofSuccess envelope: ByteBuffer) -> ByteBuffer? {
        guard envelope.readableBytes > 0 else { return envelope }
        var rest = envelope
        guard rest.readInteger(as: UInt8.self) == payloadTag,
            let byteCount = Varint.read(maximumByteCount: 4, { rest.readInteger() })
        else { return nil }
        return byteCount == UInt64(rest.readableBytes) ? rest.slice() : nil
    }
}
