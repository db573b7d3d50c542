/// One GET request.
package struct HTTPRequest: Sendable, Hashable {
    /// An absolute http or https URL, already percent-encoded. Its query may hold credentials.
    package var url: String
    package var headers: HTTPHeaders
    package var limits: HTTPResponseLimits

    package init(url: String, headers: HTTPHeaders = HTTPHeaders(), limits: HTTPResponseLimits = .standard) {
        self.url = url
        self.headers = headers
        self.limits = limits
    }
}

/// Descriptions without the query and the headers, because both hold keys.
extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "GET \(url.prefix { $0 != "?" && $0 != "#" })" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// Limits on the time and memory that a response may use.
package struct HTTPResponseLimits: Sendable, Hashable {
    /// The timeout of name lookup, connection and TLS handshake together.
    package var connectTimeout = Duration.seconds(3)
    /// The timeout from the call of `get` to the last byte, the wait for a free connection included.
    package var totalTimeout = Duration.seconds(10)
    /// The minimum transfer rate in bytes per second. A response that stays below it for `lowSpeedTime` is aborted.
    package var lowSpeedBytesPerSecond = 1024
    /// The time that a response may stay below the minimum rate, in whole seconds; less counts as one.
    package var lowSpeedTime = Duration.seconds(5)
    /// The maximum size of a body, counted after decompression, so that a decompression bomb is stopped too.
    package var maximumBodyByteCount = 4 * 1024 * 1024

    package static let standard = HTTPResponseLimits()
}
