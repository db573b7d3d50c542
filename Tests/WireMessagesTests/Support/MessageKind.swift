import CMarvelMessages
import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

/// A message that is decoded somewhere, with its type forgotten, so that a table can list them all.
struct MessageKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Decodes, and encodes what came of it.
    let recode: @Sendable (ByteBuffer, DecodingLimit) throws(WireError) -> ByteBuffer
    let descriptor: @Sendable () -> UnsafePointer<ProtobufCMessageDescriptor>?

    var schema: Schema? { descriptor().map { Schema($0.pointee) } }

    /// Encodes a message with random values.
    func example(_ random: inout SplitMix64) -> ByteBuffer { random.encoding(of: descriptor()) }

    private init<Message: ProtobufCoded & Sendable>(_ type: Message.Type) {
        let name = Message.descriptor.map { String(cString: $0.pointee.name) } ?? "\(type)"
        self.testDescription = name
        self.descriptor = { Message.descriptor }
        self.recode = { bytes, limit throws(WireError) in
            var buffer = ByteBuffer()
            try Message(unpackingReadableBytesOf: bytes, name: name, limit: limit).pack(into: &buffer)
            return buffer
        }
    }

    private init?(generated type: any WireMessage.Type) {
        guard let type = type as? any (ProtobufCoded & WireMessage).Type else { return nil }
        self.init(type)
    }

    /// Every message that Swift code decodes, those inside others included where they travel alone.
    static let all: [MessageKind] =
        GeneratedMessages.all.compactMap { MessageKind(generated: $0) } + [
            MessageKind(RequestEnvelope.self), MessageKind(ResponseEnvelope.self), MessageKind(RPCError.self),
            MessageKind(ErrorInfo.self), MessageKind(MarvelCharacter.self),
        ]
}
