package import MarvelDomain

package protocol HTTPFetcher: Sendable {
    /// Returns the complete response of any status, decompressed. It does not follow redirects.
    ///
    /// Cancelling the task ends the transfer immediately and throws `.cancelled`.
    func get(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse
}

/// Its descriptions hide the query and the headers, because both contain keys.
package struct HTTPRequest: Sendable, Hashable {
    /// Absolute, and already percent-encoded. Its query may contain credentials.
    package var url: String
    package var headers: HTTPHeaders
    package var limits: HTTPResponseLimits

    package init(url: String, headers: HTTPHeaders = HTTPHeaders(), limits: HTTPResponseLimits = .standard) {
        self.url = url
        self.headers = headers
        self.limits = limits
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "GET \(url.prefix { $0 != "?" && $0 != "#" })" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

package struct HTTPResponseLimits: Sendable, Hashable {
    /// The timeout of name lookup, connection and TLS handshake together.
    package var connectTimeout = Duration.seconds(3)
    /// Counts from the call of `get` to the last byte, including the wait for a free connection.
    package var totalTimeout = Duration.seconds(10)
    /// A response that stays below it for `lowSpeedTime` is aborted.
    package var lowSpeedBytesPerSecond = 1024
    /// In whole seconds; less counts as one.
    package var lowSpeedTime = Duration.seconds(5)
    /// The maximum of a decompressed body, which also stops decompression bombs.
    package var maximumBodyByteCount = 4 * 1024 * 1024

    package static let standard = HTTPResponseLimits()
}

package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]

    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension HTTPResponse {
    /// In seconds: a day, the window of a quota.
    private static let maximumDelay: Int64 = 86_400

    /// `Retry-After`, 0 to 24 hours (RFC 9110 section 10.2.3). A date is compared with the response's own `Date`.
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

    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
