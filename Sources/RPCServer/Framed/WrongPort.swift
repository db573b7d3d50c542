internal import Framing
package import NIOCore
package import RPCCore
internal import WireMessages

/// The answers to peers that speak the protocol of another port of the server.
package enum WrongPort {
    /// Makes the answer of the framed port to a request of HTTP.
    ///
    /// - Parameter port: The HTTP port; nil if there is none.
    /// - Returns: The bytes of the answer.
    static func answerToHTTP(port: Int?) -> ByteBuffer {
        let place = port.map { "HTTP is served at port \($0)." } ?? "This server has no HTTP port."
        let text = "This is the framed port. \(place)\n"
        return ByteBuffer(
            string: """
                HTTP/1.1 400 Bad Request\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Length: \(text.utf8.count)\r
                Connection: close\r
                \r
                \(text)
                """
        )
    }

    /// A reader of frames that arrive at the HTTP port. It keeps no frame's data.
    package struct FrameReader {
        /// The bytes that a peer may send before its first request: far more than a Hello has.
        private static let maximumByteCount = 64 * 1024

        private var decoder = FrameDecoder(maximumDataLength: 0)
        /// The bytes of the frames before the first request.
        private var byteCount = 0

        package init() {}

        /// Returns whether bytes begin a frame, and no request of HTTP.
        package static func isFrame(_ bytes: ByteBuffer) -> Bool { bytes.readableBytesView.first == 0 }

        /// Returns the answer to the first request.
        ///
        /// - Parameters:
        ///   - bytes: The bytes that have arrived. Those of frames are removed.
        ///   - message: The message of the error, which says what the port is.
        /// - Returns: A Response with an error; nil until a request has arrived.
        /// - Throws: `ConnectionError` if the bytes are no frames, or too many of them come before a request.
        package mutating func answer(
            to bytes: inout ByteBuffer,
            saying message: String
        ) throws(ConnectionError) -> ByteBuffer? {
            let before = bytes.readableBytes
            while let output = try decoder.next(from: &bytes) {
                let header =
                    switch output {
                    case .frame(let frame): frame.header
                    case .oversized(let header, _): header
                    }
                guard header.type == .request else { continue }
                let error = RPCError(.unimplemented, reason: .methodUnknown, message)
                var answer = ByteBuffer()
                answer.writeFrame(.response, on: header.streamID, data: ResponseEnvelope(status: error).encoded())
                return answer
            }
            byteCount += before - bytes.readableBytes
            bytes.discardReadBytes()
            guard byteCount <= Self.maximumByteCount else { throw .notThisProtocol(.unknown) }
            return nil
        }
    }
}
