internal import NIOCore
internal import NIOHTTP2

/// The rates above which the HTTP/2 handler of a client ends a connection. They are higher than those of servers that work.
struct HTTP2RateLimits {
    static let client = HTTP2RateLimits(count: 1_000, window: .milliseconds(100))

    /// The number of events that are permitted within the window.
    let count: Int
    let window: TimeAmount

    /// The limits of each stream.
    var streams: NIOHTTP2Handler.StreamConfiguration {
        var configuration = NIOHTTP2Handler.StreamConfiguration()
        configuration.streamResetFrameRateLimit.maximumCount = count
        configuration.streamResetFrameRateLimit.windowLength = window
        configuration.streamErrorRateLimit.maximumCount = count
        configuration.streamErrorRateLimit.windowLength = window
        return configuration
    }
}

extension NIOHTTP2Handler.ConnectionConfiguration {
    /// Limits the frames that are not of a stream.
    mutating func limitControlFrames(to limits: HTTP2RateLimits) {
        controlFrameRateLimit.maximumCount = limits.count
        controlFrameRateLimit.windowLength = limits.window
    }
}
