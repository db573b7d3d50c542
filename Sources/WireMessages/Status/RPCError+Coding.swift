internal import CMarvelMessages
package import NIOCore
package import RPCCore

extension RPCError {
    private static let fullName = "marvel.rpc.v1.Status"

    /// The error's origin is the peer. A code outside the table is `unknown`. A detail that cannot be decoded is kept
    /// as `.other`.
    package init(decodingStatus bytes: ByteBuffer, limit: DecodingLimit) throws(WireError) {
        try self.init(unpackingReadableBytesOf: bytes, name: RPCError.fullName, limit: limit)
    }

    package func encodedStatus() -> ByteBuffer { packed() }
}

extension RPCError: ProtobufCoded {
    static var initialize: CInitializer<Marvel__Rpc__V1__Status> { marvel__rpc__v1__status__init }

    init(copying message: Marvel__Rpc__V1__Status) throws(WireError) {
        self.init(
            StatusCode(rawValue: message.code) ?? .unknown,
            try message.message.text("message"),
            details: try [ErrorDetail](copying: message.details, count: message.n_details, field: "details"),
            origin: .peer
        )
    }

    func fill(_ message: inout Marvel__Rpc__V1__Status, in arena: inout EncodingArena) {
        message.code = code.rawValue
        message.message = arena.text(self.message)
        message.n_details = details.count
        message.details = arena.messages(details)
    }
}
