internal import CMarvelMessages
package import NIOCore
package import RPCCore

/// `ttrpc.Request`.
package struct RequestEnvelope: Sendable, Hashable {
    /// The full protobuf name: `marvel.v1.MarvelService`.
    package var service: String
    package var method: String
    package var payload: ByteBuffer
    /// The time until the deadline. 0 means the server's default; a negative number means that the deadline has passed.
    package var timeoutNanoseconds: Int64
    package var metadata: Metadata

    package init(
        service: String,
        method: String,
        payload: ByteBuffer = ByteBuffer(),
        timeoutNanoseconds: Int64 = 0,
        metadata: Metadata = Metadata()
    ) {
        self.service = service
        self.method = method
        self.payload = payload
        self.timeoutNanoseconds = timeoutNanoseconds
        self.metadata = metadata
    }
}

extension RequestEnvelope: ProtobufMessage {
    package static let fullName = "marvel.rpc.v1.Request"

    static var initialize: CInitializer<Marvel__Rpc__V1__Request> { marvel__rpc__v1__request__init }

    init(copying message: Marvel__Rpc__V1__Request) throws(WireError) {
        self.init(
            service: try message.service.text("service"),
            method: try message.method.text("method"),
            payload: message.payload.buffer,
            timeoutNanoseconds: message.timeout_nano,
            metadata: try Metadata(copying: message.metadata, count: message.n_metadata)
        )
    }

    func fill(_ message: inout Marvel__Rpc__V1__Request, in arena: inout EncodingArena) {
        message.service = arena.text(service)
        message.method = arena.text(method)
        message.payload = arena.buffer(payload)
        message.timeout_nano = timeoutNanoseconds
        message.n_metadata = metadata.pairs.count
        message.metadata = arena.messages(metadata.pairs.map { KeyValue(key: $0.key, value: $0.value) })
    }
}
