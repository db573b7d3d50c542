package import MarvelDomain

/// The HTTP client that `MarvelAPIClient` needs: one GET, one complete response. `CurlTransport` implements it.
package protocol HTTPFetcher: Sendable {
    /// Fetches `request.url` and returns the complete response of any status. Redirects are not followed: a 302 is
    /// returned like any other response.
    ///
    /// Cancelling the task ends the transfer at once and throws `.cancelled`.
    ///
    /// - Parameter request: The URL, and the limits of time and size for the response.
    /// - Returns: The response, its body decompressed.
    /// - Throws: `SourceError` if there is no complete response within the limits.
    func get(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse
}

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

/// A complete HTTP response of any status.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    package var headers: HTTPHeaders
    /// The decompressed body.
    package var body: [UInt8]

    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension HTTPResponse {
    /// The longest delay that is accepted, in seconds: a day, which is the window of a quota.
    private static let maximumDelay: Int64 = 86_400

    /// The delay that the header `Retry-After` asks for, 0 to 24 hours; nil if there is none. (RFC 9110 section 10.2.3)
    ///
    /// A date is compared with the response's own `Date`, so that the local clock does not matter.
    package var retryDelay: Duration? {
        guard let value = headers["Retry-After"] else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy(\.isDigit) {
            return .seconds(min(Int64(value) ?? HTTPResponse.maximumDelay, HTTPResponse.maximumDelay))
        }
        guard let then = HTTPDate.seconds(value), let now = headers["Date"].flatMap(HTTPDate.seconds)
        else { return nil }
        return .seconds(min(max(then - now, 0), HTTPResponse.maximumDelay))
    }
}

/// HTTP header fields in the order received. Names are compared without regard to case.
package struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var fields: [Field]

    package init(_ fields: [Field] = []) { self.fields = fields }

    package init(dictionaryLiteral elements: (String, String)...) {
        self.fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of the first field of that name.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
