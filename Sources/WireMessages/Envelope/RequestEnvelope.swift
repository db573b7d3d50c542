package import NIOCore
package import RPCCore

/// `ttrpc.Request`: what is called, with what, and how long the caller will wait.
package struct RequestEnvelope: Sendable, Hashable {
    /// The service's full protobuf name: `marvel.v1.MarvelService`.
    package var service: String
    /// The method's name within the service.
    package var method: String
    /// The encoded request message.
    package var payload: ByteBuffer
    /// From now; 0: the server's default; negative: the time has passed already.
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
