/// One GET request.
package struct HTTPRequest: Sendable, Hashable {
    /// Absolute, http or https, already percent-encoded. Its query may hold credentials.
    package var url: String
    package var headers: HTTPHeaders
    package var limits: HTTPLimits

    package init(url: String, headers: HTTPHeaders = HTTPHeaders(), limits: HTTPLimits = HTTPLimits()) {
        self.url = url
        self.headers = headers
        self.limits = limits
    }
}

/// Prints neither query nor headers: they hold keys.
extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "GET \(url.prefix { $0 != "?" && $0 != "#" })" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// What an answer may cost in time and memory.
package struct HTTPLimits: Sendable, Hashable {
    /// For name lookup, connection and TLS handshake together.
    package var connectTimeout: Duration
    /// From the call of `get` to the last byte, waiting for a free connection included.
    package var totalTimeout: Duration
    /// An answer that stays below this many bytes a second for `lowSpeedTime` is given up.
    package var lowSpeedBytesPerSecond: Int
    /// Whole seconds; less counts as one.
    package var lowSpeedTime: Duration
    /// Counted after decompression, so that a compressed bomb stops here too.
    package var maximumBodyByteCount: Int

    package init(
        connectTimeout: Duration = .seconds(3),
        totalTimeout: Duration = .seconds(10),
        lowSpeedBytesPerSecond: Int = 1024,
        lowSpeedTime: Duration = .seconds(5),
        maximumBodyByteCount: Int = 4 * 1024 * 1024
    ) {
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.lowSpeedBytesPerSecond = lowSpeedBytesPerSecond
        self.lowSpeedTime = lowSpeedTime
        self.maximumBodyByteCount = maximumBodyByteCount
    }
}
