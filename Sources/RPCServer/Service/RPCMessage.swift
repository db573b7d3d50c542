internal import FoundationEssentials
internal import NIOCore
public import RPCCore

/// A request or a response of a method.
///
/// gRPC and ttrpc carry the protobuf encoding, and Connect either that or JSON. A type that is `Codable` gets its JSON
/// from Foundation. The runtime never looks into a message.
public protocol RPCMessage: Sendable {
    /// Decodes all bytes.
    ///
    /// - Throws: An `RPCError`, as a rule `.malformed`. The caller gets INVALID_ARGUMENT for any other error.
    init(encoded bytes: [UInt8]) throws
    func encoded() -> [UInt8]

    /// Decodes JSON.
    ///
    /// - Throws: The same as `init(encoded:)`.
    init(json: [UInt8]) throws
    /// - Throws: Any error, if the message has no JSON. The caller gets INTERNAL.
    func json() throws -> [UInt8]
}

extension RPCMessage where Self: Codable {
    public init(json: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(json)) }

    public func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}

extension RPCError {
    /// The error of a request that is not an encoding of its message: INVALID_ARGUMENT (REQUEST_MALFORMED).
    public static func malformed(_ message: String) -> RPCError {
        RPCError(.invalidArgument, reason: .requestMalformed, message)
    }
}

extension RPCMessage {
    static func decoded(_ bytes: ByteBuffer) throws(RPCError) -> Self {
        do {
            return try Self(encoded: Array(bytes.readableBytesView))
        } catch let error as RPCError {
            throw error
        } catch {
            throw .malformed("the request is malformed")
        }
    }

    var outgoing: EncodedMessage { EncodedMessage(ByteBuffer(bytes: encoded())) }
}

extension JSONCodec {
    /// The JSON of two messages, by way of their values.
    init<Request: RPCMessage, Response: RPCMessage>(_: Request.Type, _: Response.Type) {
        self.init { json throws(RPCError) in
            do {
                return ByteBuffer(bytes: try Request(json: Array(json.readableBytesView)).encoded())
            } catch let error as RPCError {
                throw error
            } catch {
                throw .malformed("the request is not the JSON of its message")
            }
        } encodeResponse: { bytes throws(RPCError) in
            do {
                return ByteBuffer(bytes: try Response(encoded: Array(bytes.readableBytesView)).json())
            } catch {
                throw RPCError(.internalError, reason: .serverFault, "the answer has no JSON")
            }
        }
    }
}
