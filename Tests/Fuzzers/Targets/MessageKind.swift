internal import MarvelDomain
package import NIOCore
internal import RPCCore
package import WireMessages

/// A message that is decoded somewhere, its type forgotten.
package struct MessageKind: Sendable {
    /// The protobuf name.
    package let name: String
    /// Decodes, and encodes what came of it.
    package let recode: @Sendable (ByteBuffer) -> Result<ByteBuffer, WireError>
    let check: @Sendable (ByteBuffer) -> [String]

    package static let all: [MessageKind] =
        GeneratedMessages.all.map { MessageKind($0) } + [
            MessageKind(RequestEnvelope.self), MessageKind(ResponseEnvelope.self),
            MessageKind("marvel.v1.Character", decode: MarvelCharacter.init(decodingWireForm:limit:)) {
                $0.encodedWireForm()
            },
            MessageKind("marvel.rpc.v1.Status", decode: RPCError.init(decodingStatus:limit:)) { $0.encodedStatus() },
        ]

    private init<Message: WireMessage>(_ type: Message.Type) {
        self.init(Message.fullName, decode: Message.init(decoding:limit:)) { $0.encoded() }
    }

    private init<Value: Equatable & Sendable>(
        _ name: String,
        decode: @escaping @Sendable (ByteBuffer, DecodingLimit) throws(WireError) -> Value,
        encode: @escaping @Sendable (Value) -> ByteBuffer
    ) {
        self.name = name
        self.recode = { bytes in Result { () throws(WireError) in encode(try decode(bytes, .response)) } }
        self.check = { bytes in
            var findings = Findings()
            let asRequest = try? decode(bytes, .request)
            do throws(WireError) {
                let value = try decode(bytes, .response)
                findings.expect(asRequest == nil || asRequest == value, "\(name) depends on its memory")
                let again = try? decode(encode(value), .response)
                findings.expect(again == value, "\(name) is another after encoding")
            } catch {
                findings.expect(asRequest == nil, "a smaller budget takes the \(name) that a larger one refuses")
                // The encoded status keeps the reason of the refusal.
                let refusal = RPCError(undecodable: error)
                let arrived = try? RPCError(decodingStatus: refusal.encodedStatus(), limit: .response)
                findings.expect(arrived?.reason == refusal.reason, "a refused \(name) has no answer")
            }
            return findings.breaches
        }
    }
}
