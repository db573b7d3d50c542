internal import Framing
internal import NIOCore
internal import NIOHTTP2
package import RPCTransport

extension Endpoint.Wire {
    /// gRPC over HTTP/2.
    package static let http = Endpoint.Wire("http") { channel, server, isDraining in
        let frames = SentFrames()
        let raw = RawFrames()
        let decoder = NIOHTTP2Handler(
            mode: .server,
            frameDelegate: frames,
            connectionConfiguration: .marvel(maximumStreams: server.configuration.limits.maximumStreams),
            streamConfiguration: .marvel
        )
        let handler = HTTP2ConnectionHandler(server: server, frames: frames, raw: raw, isDraining: isDraining)
        try channel.pipeline.syncOperations.addHandlers([raw, decoder, handler])
    }
}

/// The rates above which the library ends a connection, with a GOAWAY that says that none of its calls ran: clients would
/// run them again. Its defaults hit good clients, which ping to measure their bandwidth and cancel many calls at once.
private enum LibraryLimits {
    static let count = 500
    static let window = TimeAmount.milliseconds(100)
}

extension NIOHTTP2Handler.ConnectionConfiguration {
    fileprivate static func marvel(maximumStreams: Int) -> Self {
        var configuration = Self()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: maximumStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 16 * 1024),
        ]
        // Late frames on streams that were reset before these would end the connection.
        configuration.maximumRecentlyResetStreams = 512
        configuration.controlFrameRateLimit.maximumCount = LibraryLimits.count
        configuration.controlFrameRateLimit.windowLength = LibraryLimits.window
        return configuration
    }
}

extension NIOHTTP2Handler.StreamConfiguration {
    fileprivate static var marvel: Self {
        var configuration = Self()
        configuration.streamResetFrameRateLimit.maximumCount = LibraryLimits.count
        configuration.streamResetFrameRateLimit.windowLength = LibraryLimits.window
        configuration.streamErrorRateLimit.maximumCount = LibraryLimits.count
        configuration.streamErrorRateLimit.windowLength = LibraryLimits.window
        return configuration
    }
}
