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
    /// Encodes a made-up value.
    let example: @Sendable (inout SplitMix64) -> ByteBuffer
    /// Whether a made-up value is the same after encoding and decoding.
    let survivesRoundTrip: @Sendable (inout SplitMix64) throws(WireError) -> Bool
    let descriptor: @Sendable () -> UnsafePointer<ProtobufCMessageDescriptor>?
    /// The name that the Swift type gives, if it is a message of its own on the wire.
    let fullName: String?

    var schema: Schema? { descriptor().map { Schema($0.pointee) } }

    private init<Message: ProtobufCoded & Arbitrary>(_ type: Message.Type) {
        let name = Message.descriptor.map { String(cString: $0.pointee.name) } ?? "\(type)"
        let encode: @Sendable (Message) -> ByteBuffer = { message in
            var buffer = ByteBuffer()
            message.pack(into: &buffer)
            return buffer
        }
        self.testDescription = name
        self.descriptor = { Message.descriptor }
        self.fullName = (type as? any WireMessage.Type)?.fullName
        self.recode = { bytes, limit throws(WireError) in
            encode(try Message(unpackingReadableBytesOf: bytes, name: name, limit: limit))
        }
        self.example = { random in encode(Message(from: &random)) }
        self.survivesRoundTrip = { random throws(WireError) in
            let message = Message(from: &random)
            return try Message(unpackingReadableBytesOf: encode(message), name: name, limit: .response) == message
        }
    }

    /// Nil for a message that no test makes up.
    private init?(generated type: any WireMessage.Type) {
        guard let type = type as? any (ProtobufCoded & Arbitrary).Type else { return nil }
        self.init(type)
    }

    /// Every message that Swift code decodes, those inside others included where they travel alone.
    static let all: [MessageKind] =
        GeneratedMessages.all.compactMap { MessageKind(generated: $0) } + [
            MessageKind(RequestEnvelope.self), MessageKind(ResponseEnvelope.self), MessageKind(RPCError.self),
            MessageKind(ErrorInfo.self), MessageKind(MarvelCharacter.self),
        ]
}

extension BadRequest: Arbitrary {
    init(from random: inout SplitMix64) { self.init(fieldViolations: random.several()) }
}

extension QuotaFailure: Arbitrary {
    init(from random: inout SplitMix64) { self.init(violations: random.several()) }
}

extension RetryInfo: Arbitrary {
    init(from random: inout SplitMix64) { self.init(retryDelay: random.perhaps()) }
}
