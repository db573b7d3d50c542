package import NIOCore
package import RPCCore

/// The message `ttrpc.Request`: the method, its request, and the timeout of the caller.
package struct RequestEnvelope: Sendable, Hashable {
    /// The service's full protobuf name: `marvel.v1.MarvelService`.
    package var service: String
    /// The method's name within the service.
    package var method: String
    /// The encoded request message.
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
