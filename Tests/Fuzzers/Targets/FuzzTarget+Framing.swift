internal import FramingDrivers
internal import NIOCore

/// The connections of each wire. The first eight bytes are the seed of what this side does,
/// and of how the others are cut into reads.
extension FuzzTarget {
    static let server = connection("server", ServerDriver<FrameAccount>.play)
    static let client = connection("client", ClientDriver.play)
    static let http2 = connection("http2", ServerDriver<HTTP2AnswerAccount>.play)
    static let http1 = connection("http1", ServerDriver<HTTP1Account>.play)

    private static func connection(
        _ name: String,
        _ play: @escaping @Sendable (_ bytes: ByteBuffer, _ seed: UInt64) -> [String]
    ) -> FuzzTarget {
        FuzzTarget(name) { bytes in
            var bytes = bytes
            let seed: UInt64 = bytes.readInteger() ?? 0
            return play(bytes, seed)
        }
    }
}
